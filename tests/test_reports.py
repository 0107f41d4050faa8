from tricord.reports import content_hash, signature
from tricord.version import __version__


def test_signature_names_what_matters_in_order():
    assert signature("t", b=1, a="x") == f"t|b:1|a:x|version:{__version__}"
    assert signature("t") == f"t|version:{__version__}"


def test_content_hash_does_not_depend_on_the_order_but_on_every_line():
    # The beginning of what sha256sum says of either, added up.
    assert content_hash(["a", "b"]) == content_hash(iter(["b", "a"])) == "08bb6928"
    assert len({content_hash(lines) for lines in ([], ["a"], ["a", "a"], ["ab"], ["a", "b"], ["é"], ["\ud800"])}) == 7
