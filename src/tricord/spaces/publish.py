"""`tricord publish`: build the Space repositories of metrics, and upload them to the Hugging Face Hub."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tricord.commands import Command
from tricord.errors import OutputError, TricordError
from tricord.outputs import write_texts
from tricord.spaces.bundle import build_space
from tricord.tasks import checked_names, module_names
from tricord.version import __version__

__all__ = ["main", "upload_space", "write_space"]


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="+", metavar="NAME", help=f"a metric: {', '.join(module_names())}")
    parser.add_argument("--namespace", metavar="ORG", default="", help="the user or organisation to upload to")
    parser.add_argument("--private", action="store_true", help="make new Spaces private")
    parser.add_argument("--output", metavar="DIR", help="only build, into DIR/NAME")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be written or uploaded")


def _publish(options: argparse.Namespace) -> None:
    if not options.namespace and options.output is None:
        options.usage_error("give --namespace ORG to upload, or --output DIR to build only")
    names = checked_names(options.names)
    # All are built before the first leaves the machine.
    spaces = {name: build_space(name, namespace=options.namespace) for name in names}
    for name, texts in spaces.items():
        target = f"{options.namespace}/{name}" if options.output is None else str(Path(options.output, name))
        size = sum(len(text.encode()) for text in texts.values())
        if options.dry_run:
            print(f"{target}: would hold {len(texts)} files, {size:,} bytes")
            print("".join(f"  {path}\n" for path in sorted(texts)), end="")
        elif options.output is None:
            print(f"{upload_space(texts, target, private=options.private)}: {len(texts)} files uploaded")
        else:
            write_space(texts, target)
            print(f"{target}: {len(texts)} files written")


def write_space(texts: Mapping[str, str], folder: str) -> None:
    """Write a built repository into a new folder.

    Args:
        texts: The files, from `tricord.spaces.bundle.build_space`.
        folder: Where to; must not exist, or be empty.

    Raises:
        OutputError: The folder holds something, or a file cannot be written.
    """
    target = Path(folder)
    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        raise OutputError(f"{folder}: exists already; remove it or choose another --output")
    write_texts({target / path: text for path, text in texts.items()})


def upload_space(texts: Mapping[str, str], repo_id: str, *, private: bool = False) -> str:
    """Upload a built repository; the Space is made where it does not exist, and files it does not have are removed.

    Args:
        texts: The files, from `tricord.spaces.bundle.build_space`.
        repo_id: `ORG/NAME`.
        private: Whether a new Space is private.

    Returns:
        The address of the Space.

    Raises:
        TricordError: The Hub refuses, or cannot be reached.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    api = HfApi(library_name="tricord", library_version=__version__)
    with tempfile.TemporaryDirectory(prefix="tricord-publish-") as folder:
        write_texts({Path(folder, path): text for path, text in texts.items()})
        try:
            address = api.create_repo(repo_id, repo_type="space", space_sdk="gradio", private=private, exist_ok=True)
            api.upload_folder(
                repo_id=repo_id,
                repo_type="space",
                folder_path=folder,
                delete_patterns="*",
                commit_message=f"Publish with tricord {__version__}",
            )
        except (HfHubHTTPError, HFValidationError, OSError) as error:
            reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            raise TricordError(f"{repo_id}: the upload failed: {reason}") from None
    return str(address)


COMMAND = Command(
    "publish",
    "build the complete Space repository of metrics (module, card, app) and upload it to the Hub, so that "
    "evaluate.load('ORG/NAME') works where tricord is not installed",
    "  %(prog)s dico_nli --namespace my-team --dry-run\n"
    "  %(prog)s dico_nli dico_nli_consistency --namespace my-team --private\n"
    "  %(prog)s dico_nli --output built",
    _arguments,
    _publish,
)
main = COMMAND.main
