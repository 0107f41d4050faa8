"""Two real processes over gloo: the figures are those of one process, however the rows are dealt out."""

import json

import numpy as np
import pytest

from dico_nli.test_hook import GOLD, ROWS, logits
from tricord import ValidationError
from tricord.training import dico_nli_metrics, gather_rows

ROUNDS = 5


def test_without_a_process_group_rows_are_put_in_order():
    assert gather_rows([2, 0, 1], ["c", "a", "b"], total=3).tolist() == ["a", "b", "c"]
    scores = gather_rows(np.array([1, 0, 1]), np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), total=2)
    assert scores.tolist() == [[3.0, 4.0], [1.0, 2.0]]


def test_tensors_are_gathered_as_arrays():
    torch = pytest.importorskip("torch")
    gathered = gather_rows(torch.tensor([1, 0]), torch.tensor([[1.0], [2.0]], dtype=torch.bfloat16), total=2)
    assert gathered.tolist() == [[2.0], [1.0]]


@pytest.mark.parametrize(
    ("rows", "values", "total", "message"),
    [
        ([0, 2], [1, 2], 4, r"2 of 4 rows have no value in any process: 1, 3"),
        ([0, 4], [1, 2], 2, r"The rows 4 do not exist; expected rows from 0 to 1"),
        ([0, -1], [1, 2], 2, r"The rows -1 do not exist"),
        ([0, 1], [1], 2, r"Process 0: expected one value a row"),
        ([0.0, 1.0], [1, 2], 2, r"Process 0: expected rows to be whole numbers, got an array of float64"),
        ([[0], [1]], [1, 2], 2, r"rows of shape \(2, 1\)"),
        ([], [], 1, r"1 of 1 rows have no value"),
    ],
)
def test_rows_that_do_not_fit_are_refused(rows, values, total, message):
    with pytest.raises(ValidationError, match=message):
        gather_rows(rows, values, total=total)


# The figures of each way and round, from a process of two. Sums of ranks differ from those of one process where a row is
# lost, repeated or displaced.
WORKER = """
import json, os, sys
import numpy as np
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

sys.path.insert(0, sys.argv[1])
from dico_nli.test_hook import GOLD, ROWS, logits
from tricord.training import dico_nli_metrics, gather_rows

rank = int(os.environ["RANK"])
hook = dico_nli_metrics(ROWS)
results = {name: [] for name in ("sampler", "uneven", "accelerate", "batches")}
generators = [np.random.default_rng(seed) for seed in range(int(sys.argv[2]))]
rounds = [generator.integers(0, 4, len(ROWS)) for generator in generators]

# They meet in a file: a port that is free now may be taken a moment later.
dist.init_process_group("gloo", init_method=f"file://{sys.argv[3]}/meeting", rank=rank, world_size=2)
for predicted in rounds:
    scores = torch.tensor(logits(predicted))
    data = TensorDataset(torch.arange(len(ROWS)), scores)
    # Five rows for two processes: the sampler repeats one; it deals them out in turns, here in a random order.
    loader = DataLoader(data, batch_size=2, sampler=DistributedSampler(data, shuffle=True, seed=1))
    rows, values = map(torch.cat, zip(*loader))
    results["sampler"].append(hook((gather_rows(rows, values, total=len(ROWS)), GOLD)))
    # One process has nearly everything.
    own = torch.arange(4) if rank == 0 else torch.tensor([4])
    own = own if rank == 0 or len(results["uneven"]) % 2 else torch.tensor([4, 1, 0])
    results["uneven"].append(hook((gather_rows(own, scores[own], total=len(ROWS)), GOLD)))

from accelerate import Accelerator

accelerator = Accelerator(cpu=True)
for predicted in rounds:
    data = TensorDataset(torch.tensor(logits(predicted)), torch.tensor(GOLD))
    loader = accelerator.prepare(DataLoader(data, batch_size=2))
    gathered = [accelerator.gather_for_metrics(batch) for batch in loader]
    results["accelerate"].append(hook(tuple(map(torch.cat, zip(*gathered)))))
    for number, batch in enumerate(gathered):
        figures = hook(tuple(batch), compute_result=number == len(gathered) - 1)
    results["batches"].append(figures)

# A Trainer over several sets, whose last batches are padded: 42 rows in batches of 8 for two processes.
from training.tiny import ID2LABEL, arguments, make_dataset, make_model, make_tokenizer, rows as make_rows
from tricord.training import TrackTrainer, dico_nli_metrics

tokenizer = make_tokenizer()
sets = {name: make_dataset(tokenizer, make_rows(24, seed=seed)) for name, seed in (("en", 2), ("es", 3))}
for batch_eval_metrics in (False, True):
    trainer = TrackTrainer(
        model=make_model(),
        args=arguments(sys.argv[3], per_device_eval_batch_size=8, batch_eval_metrics=batch_eval_metrics),
        eval_dataset=sets,
        compute_metrics=dico_nli_metrics(sets, label_names=ID2LABEL),
    )
    assert trainer.args.world_size == 2
    results[f"trainer, by batch: {batch_eval_metrics}"] = trainer.evaluate()

try:
    gather_rows(torch.arange(2), torch.arange(2), total=len(ROWS))
except ValueError as error:
    results["error"] = str(error)
print(json.dumps(results))
dist.destroy_process_group()
"""


def test_two_processes_give_the_figures_of_one(fresh_python, root, tmp_path):
    pytest.importorskip("torch")
    pytest.importorskip("accelerate")
    pytest.importorskip("transformers")
    # accelerate wants an address, though the processes have met already.
    environment = {"WORLD_SIZE": "2", "OMP_NUM_THREADS": "1", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "1"}
    outputs = fresh_python.finish(
        *(
            fresh_python.start(
                WORKER, str(root / "tests"), str(ROUNDS), str(tmp_path), RANK=rank, LOCAL_RANK=rank, **environment
            )
            for rank in ("0", "1")
        )
    )
    first, second = (json.loads(output.splitlines()[-1]) for output in outputs)
    for name in set(first) | set(second):
        if not name.startswith("trainer"):
            assert first[name] == second[name]
        else:
            _check_trainer(tmp_path, first[name], second[name])
    alone = dico_nli_metrics(ROWS)
    expected = [alone((logits(np.random.default_rng(seed).integers(0, 4, len(ROWS))), GOLD)) for seed in range(ROUNDS)]
    assert len({json.dumps(figures) for figures in expected}) > 1
    for way in ("sampler", "uneven", "accelerate", "batches"):
        assert first[way] == expected, way
    assert first["error"] == "3 of 5 rows have no value in any process: 2, 3, 4"


def _check_trainer(folder, *of_processes):
    """Compare with the Trainer in this one process."""
    from training.tiny import ID2LABEL, arguments, make_dataset, make_model, make_tokenizer, rows
    from tricord.training import TrackTrainer

    tokenizer = make_tokenizer()
    sets = {name: make_dataset(tokenizer, rows(24, seed=seed)) for name, seed in (("en", 2), ("es", 3))}
    hook = dico_nli_metrics(sets, label_names=ID2LABEL)
    alone = TrackTrainer(model=make_model(), args=arguments(folder), eval_dataset=sets, compute_metrics=hook).evaluate()
    names = [name for name in alone if name.rpartition("_")[2] in ("f1", "cons", "mean", "accuracy")]
    assert len(names) == 2 * 6 + 4
    for metrics in of_processes:
        assert {name: metrics[name] for name in names} == {name: alone[name] for name in names}


COMPUTE_SHARED = """
import json
import tricord
from tricord.dico_nli import make_reference, score

process, rounds, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
ids = [f"p{row // 2}__en-en__{'flipped' if row % 2 else 'original'}" for row in range(12)]
gold = [1, 2] * 6
metric = tricord.load("dico_nli", num_process=2, process_id=process, experiment_id="together", cache_dir=folder)
results = []
for number in range(rounds):
    predicted = [(row * row + number) % 4 for row in range(12)]
    rows = slice(0, 8) if process == 0 else slice(8, 12)
    result = metric.compute(predictions=predicted[rows], references=gold[rows], instance_ids=ids[rows])
    if process == 0:
        assert result["hard_cons"] == score(make_reference(ids, gold), predicted).hard_cons
        results.append(result["hard_cons"])
    else:
        assert result is None
    print("round", flush=True)
    sys.stdin.readline()  # the barrier: all processes have finished the round
print(json.dumps(results))
"""


def test_num_process_2_through_evaluate_several_rounds_in_a_row(fresh_python, tmp_path):
    processes = [
        fresh_python.start(COMPUTE_SHARED, process, str(ROUNDS), str(tmp_path / "shared")) for process in ("0", "1")
    ]
    for _ in range(ROUNDS):
        lines = [process.stdout.readline() for process in processes]
        if lines != ["round\n"] * 2:
            break  # `finish` shows the error
        for process in processes:
            process.stdin.write("\n")
            process.stdin.flush()
    first, second = (json.loads(output) for output in fresh_python.finish(*processes))
    assert len(first) == ROUNDS
    assert len(set(first)) > 1
    assert second == []


COMPUTE_ALONE = """
import tricord

seed = int(sys.argv[1])
ids = [f"p{row // 2}__en-en__{'flipped' if row % 2 else 'original'}" for row in range(40)]
metric = tricord.load("dico_nli", cache_dir=sys.argv[2])
for _ in range(20):
    predicted = [(1, 2)[row % 2] if row < 2 * seed else 0 for row in range(40)]
    metric.add_batch(predictions=predicted[:8], references=[1, 2] * 4, instance_ids=ids[:8])
    result = metric.compute(predictions=predicted[8:], references=[1, 2] * 16, instance_ids=ids[8:])
    assert result["hard_cons"] == seed / 20, result
"""


def test_ten_processes_compute_at_once_on_one_cache_folder(fresh_python, tmp_path):
    fresh_python.finish(*(fresh_python.start(COMPUTE_ALONE, str(seed), str(tmp_path / "cache")) for seed in range(10)))
