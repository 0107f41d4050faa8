"""What the training examples share: DiCo-NLI files as tokenised datasets, and a model to fine-tune."""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path
from typing import Any

try:
    import torch  # noqa: F401
    import transformers
except ImportError as error:
    sys.exit(f"{error}; the training examples need more: pip install 'tricord[train]'")

from datasets import Dataset

from tricord.dico_nli import LABELS

DATA = Path(__file__).parent / "data" / "dico_nli" / "gold.csv"


def parse_arguments(description: str) -> argparse.Namespace:
    """Read the command line; by default a tiny model is trained on the bundled toy data, which takes seconds."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--model", help="an encoder's folder or name; a tiny one with random weights where left out")
    parser.add_argument("--train", default=DATA, help="labelled file with text1 and text2 (%(default)s)")
    parser.add_argument(
        "--dev",
        nargs="+",
        default=[f"toy={DATA}"],
        metavar="NAME=FILE",
        help="files to evaluate, one for each track: en=dev_en.csv es=dev_es.csv (%(default)s)",
    )
    parser.add_argument("--epochs", type=int, help="3 for a pretrained encoder, 15 for the tiny one")
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--learning-rate", type=float, help="2e-5 for a pretrained encoder, 1e-2 for the tiny one")
    parser.add_argument("--output", default="dico-nli-model", help="folder for checkpoints (%(default)s)")
    options = parser.parse_args()
    options.epochs = options.epochs or (3 if options.model else 15)
    options.learning_rate = options.learning_rate or (2e-5 if options.model else 1e-2)
    options.dev = dict(argument.split("=", maxsplit=1) for argument in options.dev)
    return options


def read_rows(path: str | Path) -> list[dict[str, Any]]:
    """Read a file of the task; `label` becomes the id that the model is trained with."""
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        return [{**row, "label": LABELS.index(row["label"])} for row in csv.DictReader(file)]


def make_dataset(path: str | Path, tokenizer: Any) -> Dataset:
    """Tokenise a file. The id columns stay: the metrics need them, and the Trainer keeps them from the model."""
    return Dataset.from_list(read_rows(path)).map(
        lambda rows: tokenizer(rows["text1"], rows["text2"], truncation=True, max_length=128), batched=True
    )


def make_model(options: argparse.Namespace) -> tuple[Any, Any]:
    """Load the model and its tokenizer, with the task's labels in the task's order."""
    if options.model is None:
        return tiny_model(options.train)
    return (
        transformers.AutoModelForSequenceClassification.from_pretrained(
            options.model,
            num_labels=len(LABELS),
            id2label=dict(enumerate(LABELS)),
            label2id={label: number for number, label in enumerate(LABELS)},
        ),
        transformers.AutoTokenizer.from_pretrained(options.model),
    )


def tiny_model(path: str | Path) -> tuple[Any, Any]:
    """Make a BERT of one layer with random weights, and a tokenizer that knows the words of a file."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    texts = [row[name] for row in read_rows(path) for name in ("text1", "text2")]
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *sorted({word for text in texts for word in text.split()})]
    vocabulary = {word: number for number, word in enumerate(words)}
    backend = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    backend.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    backend.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=backend, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    )
    config = transformers.BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        num_labels=len(LABELS),
        id2label=dict(enumerate(LABELS)),
    )
    transformers.set_seed(0)
    return transformers.BertForSequenceClassification(config), tokenizer
