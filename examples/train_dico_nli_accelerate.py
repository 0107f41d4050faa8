"""Fine-tune an encoder for DiCo-NLI with a plain PyTorch loop, in any number of processes.

    python examples/train_dico_nli_accelerate.py
    accelerate launch --num_processes 2 examples/train_dico_nli_accelerate.py --model microsoft/mdeberta-v3-base \
        --train train.csv --dev en=dev_en.csv es=dev_es.csv eu=dev_eu.csv

Every process has the figures; the main one prints them.
"""

from __future__ import annotations

from typing import Any

import torch
from accelerate import Accelerator
from dico_nli_data import make_dataset, make_model, parse_arguments
from torch.utils.data import DataLoader
from transformers import DataCollatorWithPadding

from tricord.terminal import format_table
from tricord.training import dico_nli_metrics

MODEL_INPUTS = ["input_ids", "attention_mask", "token_type_ids", "label"]


def main() -> None:
    """Train, and print the scores of each track after each epoch."""
    options = parse_arguments(__doc__.splitlines()[0])
    accelerator = Accelerator()
    model, tokenizer = make_model(options)
    train = make_dataset(options.train, tokenizer)
    dev = {name: make_dataset(path, tokenizer) for name, path in options.dev.items()}
    hooks = {name: dico_nli_metrics(rows, label_names=model.config.id2label) for name, rows in dev.items()}

    def loader(rows: Any, *, shuffle: bool) -> DataLoader:
        columns = [name for name in MODEL_INPUTS if name in rows.column_names]
        collator = DataCollatorWithPadding(tokenizer)
        return DataLoader(rows.select_columns(columns), options.batch_size, shuffle=shuffle, collate_fn=collator)

    model, optimizer, train_loader = accelerator.prepare(
        model, torch.optim.AdamW(model.parameters(), lr=options.learning_rate), loader(train, shuffle=True)
    )
    dev_loaders = {name: accelerator.prepare(loader(rows, shuffle=False)) for name, rows in dev.items()}
    for epoch in range(1, options.epochs + 1):
        train_epoch(accelerator, model, optimizer, train_loader)
        figures = {name: evaluate(accelerator, model, dev_loaders[name], hooks[name]) for name in dev}
        if accelerator.is_main_process:
            scores = ("weighted_f1", "soft_cons", "hard_cons", "dico_mean")
            rows = [[name, *(figures[name][score] for score in scores)] for name in dev]
            print(f"epoch {epoch}\n{format_table(['track', *scores], rows)}")
    accelerator.wait_for_everyone()
    accelerator.unwrap_model(model).save_pretrained(options.output, is_main_process=accelerator.is_main_process)


def train_epoch(accelerator: Accelerator, model: Any, optimizer: Any, batches: Any) -> None:
    """Go once over the training set."""
    model.train()
    for batch in batches:
        accelerator.backward(model(**batch).loss)
        optimizer.step()
        optimizer.zero_grad()


@torch.no_grad()
def evaluate(accelerator: Accelerator, model: Any, batches: Any, hook: Any) -> dict[str, float]:
    """Score one track; the rows of all processes come together in their order, without those that fill the last batch."""
    model.eval()
    parts = [accelerator.gather_for_metrics((model(**batch).logits, batch["labels"])) for batch in batches]
    logits, label_ids = map(torch.cat, zip(*parts, strict=True))
    figures: dict[str, float] = hook((logits, label_ids))
    return figures


if __name__ == "__main__":
    main()
