"""A tiny encoder with its own tokenizer, made on the spot, and DiCo-NLI sets that it can learn something of."""

import random

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast, TrainingArguments

from tricord.dico_nli import LABELS, REVERSE_LABEL

# Another order than the task's own, so that a test fails where the mapping is forgotten.
MODEL_LABELS = ("NEGATIVE_OTHER", "BACKWARD_ENTAILMENT", "EQUIVALENCE", "FORWARD_ENTAILMENT")
ID2LABEL = dict(enumerate(MODEL_LABELS))

NOUNS = ["ship", "house", "dog", "river", "song", "tree", "cake", "road"]
ADJECTIVES = ["old", "red", "small", "loud", "wide", "dark", "new", "cold"]


def rows(pairs, *, language="en", seed=0, shuffled=True):
    """Make rows as a data set of the task has them; two for a reversible pair, one for NEGATIVE_OTHER."""
    generator = random.Random(seed)
    result = []
    for number in range(pairs):
        noun, adjective = generator.choice(NOUNS), generator.choice(ADJECTIVES)
        label = LABELS[number % 4]
        first, second = {
            "EQUIVALENCE": (f"{adjective} {noun}", f"{adjective} {noun}"),
            "FORWARD_ENTAILMENT": (f"{adjective} {noun}", noun),
            "BACKWARD_ENTAILMENT": (noun, f"{adjective} {noun}"),
            "NEGATIVE_OTHER": (noun, generator.choice(ADJECTIVES)),
        }[label]
        pair = f"{language}_{seed}_{number:04d}"
        ids = [f"{pair}__{language}-{language}__{direction}" for direction in ("original", "flipped")]
        row = {"instance_id": ids[0], "pair_id": pair, "reverse_pair_id": "", "text1": first, "text2": second}
        if label in REVERSE_LABEL:
            result.append({**row, "reverse_pair_id": ids[1], "label": label})
            flipped = {"instance_id": ids[1], "reverse_pair_id": ids[0], "text1": second, "text2": first}
            result.append({**row, **flipped, "label": REVERSE_LABEL[label]})
        else:
            result.append({**row, "label": label})
    if shuffled:
        generator.shuffle(result)
    return result


def make_tokenizer():
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *NOUNS, *ADJECTIVES]
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    )


def make_dataset(tokenizer, data):
    """Tokenise rows; the columns of the task stay, and `label` follows the model's order."""
    dataset = Dataset.from_list([{**row, "gold": row["label"]} for row in data]).remove_columns("label")
    return dataset.map(
        lambda row: {
            **tokenizer(f"{row['text1']} [SEP] {row['text2']}", padding="max_length", max_length=8, truncation=True),
            "label": MODEL_LABELS.index(row["gold"]),
        }
    )


def make_model(seed=0):
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=20,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=16,
        num_labels=4,
        id2label=ID2LABEL,
    )
    return BertForSequenceClassification(config)


def arguments(folder, **changes):
    return TrainingArguments(
        **{
            "output_dir": str(folder),
            "num_train_epochs": 3,
            "per_device_train_batch_size": 16,
            "per_device_eval_batch_size": 32,
            "learning_rate": 1e-2,
            "eval_strategy": "epoch",
            "save_strategy": "epoch",
            "logging_strategy": "no",
            "report_to": [],
            "disable_tqdm": True,
            "use_cpu": True,
            "dataloader_pin_memory": False,
            "seed": 0,
            **changes,
        }
    )
