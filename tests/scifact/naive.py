"""A second SciFact scorer, as slow and plain as the task's text: no sets of ids, no blocks, one question at a time."""


def entries(claim, doc_id):
    """The gold entries of one document of a claim; none where the document has no evidence."""
    for key in claim["evidence"]:
        if int(key) == int(doc_id):
            return claim["evidence"][key]
    return []


def all_in(evidence_set, sentences):
    return all(sentence in sentences for sentence in evidence_set)


def is_correct_sentence(sentence, sets, sentences):
    return any(sentence in evidence_set and all_in(evidence_set, sentences) for evidence_set in sets)


def scores(correct, predicted, gold):
    precision = correct / predicted if predicted > 0 else 0.0
    recall = correct / gold if gold > 0 else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
    return {
        "correct": correct,
        "predicted": predicted,
        "gold": gold,
        "precision": precision,
        "recall": recall,
        "f1": f1,
    }


def find(predictions, claim_id, key="id"):
    (found,) = [prediction for prediction in predictions if prediction[key] == claim_id]
    return found


def distinct(values):
    result = []
    for value in values:
        if value not in result:
            result.append(value)
    return result


def evaluate(claims, predictions, rule):
    predicted_abstracts = gold_abstracts = label_only = rationalized = 0
    predicted_sentences = gold_sentences = selected = labelled = 0
    for claim in claims:
        for gold_entries in claim["evidence"].values():
            gold_abstracts += 1
            gold_sentences += len(distinct([s for entry in gold_entries for s in entry["sentences"]]))
        for doc_id, answer in find(predictions, claim["id"])["evidence"].items():
            sentences = answer["sentences"]
            predicted_abstracts += 1
            predicted_sentences += len(sentences)
            gold_entries = entries(claim, doc_id)
            if not gold_entries:
                continue
            sets = [distinct(entry["sentences"]) for entry in gold_entries]
            right_label = gold_entries[0]["label"] == answer["label"]
            for sentence in distinct(sentences):
                if is_correct_sentence(sentence, sets, sentences):
                    selected += 1
                    if right_label:
                        labelled += 1
            first = 3
            if rule == "leaderboard":
                first = max(3, min(len(evidence_set) for evidence_set in sets))
            if right_label:
                label_only += 1
                if any(all_in(evidence_set, sentences[:first]) for evidence_set in sets):
                    rationalized += 1
    return {
        "sentence_selection": scores(selected, predicted_sentences, gold_sentences),
        "sentence_label": scores(labelled, predicted_sentences, gold_sentences),
        "abstract_label_only": scores(label_only, predicted_abstracts, gold_abstracts),
        "abstract_rationalized": scores(rationalized, predicted_abstracts, gold_abstracts),
    }


def rationale_selection(claims, selections):
    """Selected sentences are predictions whose labels nobody looks at."""
    predictions = [
        {
            "id": line["claim_id"],
            "evidence": {key: {"sentences": sentences, "label": ""} for key, sentences in line["evidence"].items()},
        }
        for line in selections
    ]
    return evaluate(claims, predictions, "paper")["sentence_selection"]


def label_pairs(claims, lines):
    """The gold and the predicted label of every labelled document."""
    pairs = []
    for claim in claims:
        for doc_id, answer in find(lines, claim["id"], "claim_id")["labels"].items():
            gold_entries = entries(claim, doc_id)
            pairs.append((gold_entries[0]["label"] if gold_entries else "NOT_ENOUGH_INFO", answer["label"]))
    return pairs


def abstract_retrieval(claims, lines):
    one = every = 0
    for claim in claims:
        retrieved = [int(doc_id) for doc_id in find(lines, claim["id"], "claim_id")["doc_ids"]]
        hits = [int(doc_id) in retrieved for doc_id in claim["evidence"]]
        one += any(hits) or not hits
        every += all(hits)
    return one / len(claims), every / len(claims)
