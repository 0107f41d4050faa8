"""Claims and predictions as hypothesis draws them: few documents and sentences, so that much of it meets."""

import json

from hypothesis import strategies as st

LABELS = ("SUPPORT", "CONTRADICT")
sentence = st.integers(0, 7)
doc_ids = st.lists(st.integers(0, 4).map(str), max_size=3, unique=True)


@st.composite
def gold_documents(draw):
    """Overlapping evidence sets, of one to five sentences in any order, now and then with one twice."""
    documents = {}
    for doc_id in draw(doc_ids):
        label = draw(st.sampled_from(LABELS))
        sets = draw(st.lists(st.lists(sentence, min_size=1, max_size=5), min_size=1, max_size=3))
        documents[doc_id] = [{"sentences": sentences, "label": label} for sentences in sets]
    return documents


predicted_sentences = st.lists(sentence, max_size=7)


@st.composite
def predicted_documents(draw, gold):
    """Documents near the gold ones: the same or others, whole evidence sets or parts, repeated and more than three."""
    documents = {}
    for doc_id in draw(st.permutations(draw(doc_ids) + list(gold))):
        if doc_id in documents or not draw(st.integers(0, 3)):
            continue
        sentences = draw(predicted_sentences)
        for entry in gold.get(doc_id, []):
            if draw(st.booleans()):
                sentences = draw(st.permutations(sentences + entry["sentences"]))
        documents[doc_id] = {"sentences": list(sentences), "label": draw(st.sampled_from(LABELS))}
    return documents


@st.composite
def tasks(draw):
    """Claims with gold evidence, and predictions for them in another order."""
    claims, predictions = [], []
    for claim_id in draw(st.lists(st.integers(-3, 40), min_size=1, max_size=6, unique=True)):
        evidence = draw(gold_documents())
        text = draw(st.text(max_size=8))
        claims.append({"id": claim_id, "claim": text, "evidence": evidence, "cited_doc_ids": [1]})
        predictions.append({"id": claim_id, "evidence": draw(predicted_documents(evidence))})
    return claims, draw(st.permutations(predictions))


def write_lines(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path
