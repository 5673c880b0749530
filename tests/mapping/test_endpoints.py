"""The URL rule."""

from __future__ import annotations

import pytest

from hutch_lineage.errors import EndpointError
from hutch_lineage.mapping import parse_endpoint


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("http://localhost:5000", "http://localhost:5000/api/v1/lineage"),
        ("http://localhost:5000/", "http://localhost:5000/api/v1/lineage"),
        ("https://host/base/", "https://host/base/api/v1/lineage"),
        ("http://host/api/v1/lineage", "http://host/api/v1/lineage"),
        ("http://host/api/v1/lineage/", "http://host/api/v1/lineage"),
        ("http://host/x/api/v1/lineage", "http://host/x/api/v1/lineage"),
        ("http://host?key=1", "http://host/api/v1/lineage?key=1"),
        ("http://host/api/v1/lineage/?key=1", "http://host/api/v1/lineage?key=1"),
        ("  http://host \n", "http://host/api/v1/lineage"),
        ("HTTP://Host:80", "http://host/api/v1/lineage"),
        ("http://[::1]:5000", "http://[::1]:5000/api/v1/lineage"),
        ("http://bücher/é?k=é", "http://xn--bcher-kva/%C3%A9/api/v1/lineage?k=%C3%A9"),
    ],
)
def test_the_lineage_path_is_appended_once(text, url):
    """A trailing slash, a query string and spaces around the URL end in the right place."""
    assert parse_endpoint(text).url == url


@pytest.mark.parametrize(
    "text",
    [
        "not a url",
        "ftp://x",
        "",
        "http://",
        "http://host:port",
        "in memory",
        "http://a b/",
        "http:",
        "http://a..b",
        f"http://{'a' * 64}.org",
    ],
)
def test_what_is_no_http_url_is_refused(text):
    """What cannot be posted to is refused at once, with what to write instead."""
    with pytest.raises(EndpointError, match="http"):
        parse_endpoint(text)


@pytest.mark.parametrize("path", ["/a b", "/a\r\nHost: other"])
def test_a_path_that_no_request_can_have_is_refused(path):
    """Spaces and line ends would make another request of it."""
    with pytest.raises(EndpointError, match=r"its path .* holds spaces or control characters"):
        parse_endpoint("http://host", path)


def test_a_missing_scheme_is_guessed_in_the_message():
    """``localhost:5000`` is refused with the URL that was probably meant."""
    with pytest.raises(EndpointError, match="did you mean http://localhost:5000 "):
        parse_endpoint("localhost:5000")


@pytest.mark.parametrize(
    "text",
    [
        "me:hush@host",
        "http://me:hush@host:port",
        "http://me:hu/sh@host:1:2",
        "ftp://h?k=hush",
        "ftp://h?hush",
    ],
)
def test_a_refusal_shows_no_secret(text):
    """Passwords and query values of a bad URL stand in no message."""
    with pytest.raises(EndpointError) as caught:
        parse_endpoint(text)
    assert "hush" not in str(caught.value)
    assert "me:hu" not in str(caught.value)


def test_an_endpoint_shows_no_secret():
    """The repr and the masked form of a good URL hold no secret; the user is kept apart."""
    endpoint = parse_endpoint("http://me:hush%21@host/?key=hush")
    assert "hush" not in repr(endpoint) + endpoint.masked
    assert endpoint.user == ("me", "hush!")
    assert endpoint.url == "http://host/api/v1/lineage?key=hush"


def test_spellings_of_one_place_share_a_key():
    """An endpoint is the same however it is spelt."""
    spellings = ["http://h:80/", "HTTP://H", "http://h/api/v1/lineage/", "http://u:p@h"]
    assert {parse_endpoint(text).key for text in spellings} == {"http://h/api/v1/lineage"}


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("http://gms:8080", "http://gms:8080/openapi/openlineage/api/v1/lineage"),
        ("http://gms:8080/openapi", "http://gms:8080/openapi/openlineage/api/v1/lineage"),
        (
            "http://gms:8080/openapi/openlineage/",
            "http://gms:8080/openapi/openlineage/api/v1/lineage",
        ),
        (
            "http://gms:8080/openapi/openlineage/api/v1/lineage",
            "http://gms:8080/openapi/openlineage/api/v1/lineage",
        ),
    ],
)
def test_a_path_of_its_own_is_completed(given, url):
    """However much of a backend's own path the URL has, it has all of it in the end."""
    assert parse_endpoint(given, "/openapi/openlineage/api/v1/lineage").url == url


def test_an_empty_path_says_that_the_url_is_complete():
    """Behind a proxy nothing may be appended."""
    assert parse_endpoint("https://proxy/ol/in", "").url == "https://proxy/ol/in"
