"""Rewards as plain callables, and in one step of a real GRPO run."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricord import InputFileError, ValidationError, commonground
from tricord.dico_nli import LABELS, REVERSE_LABEL
from tricord.training import (
    commonground_format_reward,
    commonground_reward,
    dico_nli_label_reward,
    dico_nli_pair_reward,
)

FORWARD, BACKWARD = "p1__en-en__original", "p1__en-en__flipped"
HELD_OUT = {"p1-s1": 1, "p1-s2": -1}

predictions = st.one_of(
    st.integers(-2, 2),
    st.none(),
    st.text(max_size=3),
    st.dictionaries(st.sampled_from(["agree", "disagree", "pass", "1", "x"]), st.floats(-1, 5) | st.integers(0, 9)),
)


@given(st.dictionaries(st.sampled_from(["p1-s1", "p1-s2", "other"]), predictions))
def test_commonground_reward_is_the_probability_reward_of_the_parsed_answer(answer):
    text = f"\n {json.dumps(answer)}\t"
    [reward] = commonground_reward([text], held_out=[HELD_OUT])
    assert reward == commonground.probability_reward(answer, HELD_OUT)
    assert type(reward) is float
    assert 0 <= reward <= 1


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "agree",
        "[1]",
        '"p1-s1"',
        "null",
        '{"p1-s1": 1',
        'Sure! {"p1-s1": 1}',
        '```json\n{"p1-s1": 1}\n```',
        '{"p1-s1": 1} {"p1-s1": 1}',
        '{"p1-s1": 1, "p1-s1": -1}',
        '{"p1-s1": {"agree": NaN}}',
        '{"p1-s1": {"agree": Infinity}}',
        '{"p1-s1": {"agree": 1e999}}',
        "{'p1-s1': 1}",
        '{"p1-s1": ' + "[" * 100_000,
        '{"p1-s1": ' + "9" * 10_000 + "}",
    ],
    ids=range(16),
)
def test_anything_but_one_json_object_earns_nothing(answer):
    assert commonground_reward([answer], held_out=[HELD_OUT]) == [0.0]
    assert commonground_format_reward([answer], held_out=[HELD_OUT]) == [0.0]


def test_messages_json_columns_and_filled_in_cells():
    answer = '{"p1-s1": {"agree": 1}, "p1-s2": {"disagree": 1}}'
    chat = [{"role": "user", "content": "?"}, {"role": "assistant", "content": answer}]
    parts = [{"role": "assistant", "content": [{"type": "text", "text": answer}]}]
    held_out = [HELD_OUT, json.dumps(HELD_OUT), {**HELD_OUT, "of another row": None}]
    assert commonground_reward([answer, chat, parts], prompts=["?"] * 3, held_out=held_out) == [1.0] * 3
    assert commonground_reward([answer], held_out=[{}]) == [0.0]
    assert commonground_reward(['{"7": 1}'], held_out=[{7: 1}]) == [1.0]


def test_format_reward_counts_valid_predictions():
    answers = ['{"p1-s1": 1, "p1-s2": {"pass": 1}}', '{"p1-s1": "agree"}', '{"p1-s2": {"agree": -1}}', '{"x": 1}']
    assert commonground_format_reward(answers, held_out=[HELD_OUT] * 4) == [1.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("completions", "held_out", "error", "message"),
    [
        (["{}"], [HELD_OUT] * 2, ValidationError, "unequal lengths: `completions` has 1, `held_out` has 2"),
        (["{}"], [3], ValidationError, r"held_out\[0\] to be a mapping"),
        (["{}"], ["[1]"], ValidationError, r"held_out\[0\] to be a mapping"),
        (["{}"], ["{"], InputFileError, r"held_out\[0\]: not valid JSON"),
        (["{}"], [{"c": 2}], ValidationError, r"held_out\[0\]\['c'\]: expected a vote"),
        ([None], [HELD_OUT], ValidationError, r"completions\[0\] to be a text or a list of messages"),
        ([[{"role": "assistant"}]], [HELD_OUT], ValidationError, r"completions\[0\]"),
        (["{}"], None, ValidationError, "`held_out` to be a column"),
    ],
)
def test_unusable_columns_are_refused(completions, held_out, error, message):
    with pytest.raises(error, match=message):
        commonground_reward(completions, held_out=held_out)


def test_label_reward():
    completions = [
        " NEGATIVE_OTHER\n",
        "EQUIVALENCE",
        "negative_other",
        '{"label": " NEGATIVE_OTHER"}',
        '{"label": 3}',
        "3",
    ]
    assert dico_nli_label_reward(completions, label=["NEGATIVE_OTHER"] * 6) == [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]
    assert dico_nli_label_reward(completions[:2], label=[3, 0], prompts=["?", "?"], trainer_state=None) == [1.0, 1.0]
    with pytest.raises(ValidationError, match="Expected `label` to hold labels"):
        dico_nli_label_reward(["EQUIVALENCE"], label=["ENTAILMENT"])
    with pytest.raises(ValidationError, match="unequal lengths"):
        dico_nli_label_reward(["EQUIVALENCE"], label=[0, 0])


answers = st.sampled_from([*LABELS, "?"])


@given(st.lists(st.tuples(st.sampled_from([FORWARD, BACKWARD, "p2__en-es__original"]), answers), max_size=12))
def test_pair_reward_is_the_share_of_fitting_answers(rows):
    rewards = dico_nli_pair_reward([answer for _, answer in rows], instance_id=[name for name, _ in rows])
    other = {FORWARD: BACKWARD, BACKWARD: FORWARD}
    for (name, answer), reward in zip(rows, rewards, strict=True):
        opposite = [given_answer for given_name, given_answer in rows if given_name == other.get(name)]
        fitting = [REVERSE_LABEL.get(answer) == given_answer for given_answer in opposite]
        assert reward == (sum(fitting) / len(fitting) if fitting else 0.0)


def test_pair_reward_refuses_ids_of_another_form():
    with pytest.raises(ValidationError, match="Cannot derive the twin"):
        dico_nli_pair_reward(["EQUIVALENCE"], instance_id=["x"])


# TRL and what it imports warn of their own future.
@pytest.mark.filterwarnings("ignore")
def test_one_step_of_grpo(tmp_path):
    pytest.importorskip("torch", reason="the tests of the training hooks need torch (make test TORCH=...)")
    trl = pytest.importorskip("trl", reason="the test of the rewards in a real run needs trl")
    from datasets import Dataset
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    words = ["<pad>", "<eos>", "<unk>", "read", "backwards", *LABELS]
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>", padding_side="left"
    )
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(words),
            hidden_size=16,
            intermediate_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            pad_token_id=0,
            eos_token_id=1,
            bos_token_id=1,
        )
    )
    data = Dataset.from_list(
        [
            {"prompt": "read", "instance_id": FORWARD, "label": "FORWARD_ENTAILMENT"},
            {"prompt": "read backwards", "instance_id": BACKWARD, "label": "BACKWARD_ENTAILMENT"},
        ]
    )
    seen = []

    def noted(completions, **columns):
        seen.append((completions, columns["instance_id"], columns["label"]))
        return dico_nli_pair_reward(completions, **columns)

    trainer = trl.GRPOTrainer(
        model=model,
        reward_funcs=[dico_nli_label_reward, noted],
        args=trl.GRPOConfig(
            output_dir=str(tmp_path),
            max_steps=1,
            per_device_train_batch_size=8,
            num_generations=4,
            max_completion_length=1,
            shuffle_dataset=False,
            report_to=[],
            disable_tqdm=True,
            use_cpu=True,
            bf16=False,
            dataloader_pin_memory=False,
            logging_steps=1,
        ),
        train_dataset=data,
        processing_class=tokenizer,
    )
    trainer.train()
    [(completions, ids, labels)] = seen
    assert sorted(ids) == [BACKWARD] * 4 + [FORWARD] * 4  # both directions are in one call
    expected = {
        "dico_nli_label_reward": dico_nli_label_reward(completions, label=labels),
        "noted": dico_nli_pair_reward(completions, instance_id=ids),
    }
    [logged] = [entry for entry in trainer.state.log_history if "reward" in entry]
    for name, rewards in expected.items():
        assert logged[f"rewards/{name}/mean"] == pytest.approx(sum(rewards) / 8, abs=1e-6)
