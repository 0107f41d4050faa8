"""Fine-tune an encoder for DiCo-NLI with Trainer, keep the model with the best mean of the official scores.

    python examples/train_dico_nli.py
    python examples/train_dico_nli.py --model microsoft/mdeberta-v3-base --train train.csv \
        --dev en=dev_en.csv es=dev_es.csv eu=dev_eu.csv

Files are the task's own, with or without `reverse_pair_id`.
"""

from __future__ import annotations

from dico_nli_data import make_dataset, make_model, parse_arguments
from transformers import TrainingArguments

from tricord.terminal import format_table
from tricord.training import TrackTrainer, dico_nli_metrics


def main() -> None:
    """Train, evaluate each track after each epoch, and print the scores of the best model."""
    options = parse_arguments(__doc__.splitlines()[0])
    model, tokenizer = make_model(options)
    dev = {name: make_dataset(path, tokenizer) for name, path in options.dev.items()}
    trainer = TrackTrainer(
        model=model,
        args=TrainingArguments(
            output_dir=options.output,
            num_train_epochs=options.epochs,
            per_device_train_batch_size=options.batch_size,
            learning_rate=options.learning_rate,
            eval_strategy="epoch",
            save_strategy="epoch",
            load_best_model_at_end=True,
            metric_for_best_model="macro_dico_mean",
            report_to=[],
        ),
        train_dataset=make_dataset(options.train, tokenizer),
        eval_dataset=dev,
        processing_class=tokenizer,  # pads each batch
        compute_metrics=dico_nli_metrics(dev, label_names=model.config.id2label),
    )
    trainer.train()
    metrics = trainer.evaluate()
    scores = ("weighted_f1", "soft_cons", "hard_cons", "dico_mean")
    rows = [[name, *(metrics[f"eval_{name}_{score}"] for score in scores)] for name in (*dev, "macro")]
    print(format_table(["track", *scores], rows))


if __name__ == "__main__":
    main()
