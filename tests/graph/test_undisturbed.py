"""An interrupt waits for what must be done as a whole."""

from __future__ import annotations

import signal
import threading

import pytest

from hutch_lineage.graph import LineageGraph, Scene
from hutch_lineage.graph.table import Table
from hutch_lineage.model import NodeKey, NodeRecord, undisturbed


def chain(count: int) -> list[NodeRecord]:
    keys = [NodeKey("individual", "r", f"n{number}") for number in range(count)]
    return [
        NodeRecord(key=key, stamp=(1000 + number, key.id), parents=tuple(keys[number - 1 : number]))
        for number, key in enumerate(keys)
    ]


def test_an_interrupt_comes_when_the_block_has_ended():
    """What is in the block is done, then the interrupt comes; the handler is as before."""
    before = signal.getsignal(signal.SIGINT)
    done = []

    def work() -> None:
        with undisturbed(), undisturbed():
            signal.raise_signal(signal.SIGINT)
            done.append(True)

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == [True]
    assert signal.getsignal(signal.SIGINT) is before


def test_other_threads_are_not_interrupted_anyway():
    """Off the main thread nothing is changed."""
    done: list[object] = []

    def work() -> None:
        with undisturbed():
            done.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [signal.getsignal(signal.SIGINT)]


def test_an_interrupted_scene_is_whole(monkeypatch):
    """A stop in the middle of an update leaves no row without its columns, edges or place."""
    graph = LineageGraph()
    scene = Scene(graph)
    append = Table.append
    countdown = [7]

    def interrupted(table, values):
        countdown[0] -= 1
        if countdown[0] == 0:
            signal.raise_signal(signal.SIGINT)
        return append(table, values)

    monkeypatch.setattr(Table, "append", interrupted)
    graph.apply(chain(10))
    with pytest.raises(KeyboardInterrupt):
        scene.update()
    graph.apply(chain(20))
    whole = Scene(graph).snapshot()
    content, _ = scene.snapshot()
    assert content["tables"]["nodes"]["count"] == whole[0]["tables"]["nodes"]["count"] == 20
    assert content["tables"]["edges"]["count"] == 19
    for table in (scene.nodes, scene.edges):
        assert {len(column) for column in table.data.values()} == {table.count}
