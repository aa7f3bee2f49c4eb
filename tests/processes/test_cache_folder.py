"""The folder of compiled code under several processes and threads, and odd settings of it."""

import os
import subprocess
import sys
import textwrap
import threading

import pytest

from supple.engine import cache

HOMES = ("SUPPLE_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA")


def child(code, folder=None, **environment):
    """What a new process prints; variables that are None are not set in it."""
    words = {n: x for n, x in os.environ.items() if n not in HOMES} | environment
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env=words,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )


COMPILES = """
    import supple, warnings
    warnings.simplefilter("error")
    supple.compile(supple.load("lin-lewis-rr"), "mass_matrix")
    print("compiled")
"""


def test_clearing_takes_nothing_from_a_process_that_writes(tmp_path):
    code = """
        import os, warnings
        from supple.tracer import cache
        warnings.simplefilter("error")
        replace = os.replace
        def slowly(source, target):  # between the writing of a file and its naming
            print("writing", flush=True)
            input()
            replace(source, target)
        os.replace = slowly
        cache.write("entry", b"code")
        print("kept", flush=True)
    """
    environment = os.environ | {"SUPPLE_CACHE": str(tmp_path)}
    writer = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert writer.stdout.readline() == "writing\n"
        with cache.kept_in(str(tmp_path)):
            assert cache.clear() == 0
            out, _ = writer.communicate("go\n", timeout=60)
            assert out == "kept\n"
            assert cache.read("entry") == b"code"
    finally:
        writer.kill()
        writer.wait()


def test_clearing_removes_what_a_process_left_long_ago(tmp_path):
    left, young = tmp_path / ".new-old", tmp_path / ".new-young"
    left.touch()
    young.touch()
    os.utime(left, (1e9, 1e9))
    with cache.kept_in(str(tmp_path)):
        cache.clear()
    assert [path.name for path in tmp_path.iterdir()] == [young.name]


@pytest.mark.parametrize("blank", [" ", "\t\n"])
def test_a_blank_folder_is_one_error_and_makes_no_folder(tmp_path, blank):
    found = child(COMPILES, tmp_path, SUPPLE_CACHE=blank)
    assert "InputError: SUPPLE_CACHE is " in found.stderr.splitlines()[-1]
    assert "it may be a folder, or off" in found.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_relative_xdg_folder_is_ignored_as_its_specification_has_it(tmp_path):
    (tmp_path / "work").mkdir()
    home = {"HOME": str(tmp_path / "home"), "USERPROFILE": str(tmp_path / "home")}
    found = child(COMPILES, tmp_path / "work", XDG_CACHE_HOME="rel", **home)
    assert found.stdout == "compiled\n", found.stderr
    assert list((tmp_path / "work").iterdir()) == []
    assert list((tmp_path / "home" / ".cache" / "supple").glob("*.supple"))


@pytest.mark.skipif(os.name != "posix", reason="the home folder is not $HOME here")
def test_a_relative_home_is_told_once_and_makes_no_folder(tmp_path):
    loads = 'supple.load("lin-lewis-rr")'
    code = f"import supple; [supple.compile({loads}, x) for x in ('mass_matrix', 'gravity_force')]"
    found = child(code, tmp_path, HOME="rel")
    assert found.returncode == 0, found.stderr
    assert found.stderr.count("the home folder 'rel' is no absolute path") == 1
    assert "Set SUPPLE_CACHE" in found.stderr
    assert list(tmp_path.iterdir()) == []
    code = "import sys; from supple.cli import main; sys.argv[1:] = ['cache']; main()"
    shell = child(code, tmp_path, HOME="rel")
    assert shell.returncode == 2
    assert "'rel' is no absolute path; set SUPPLE_CACHE to a folder" in shell.stderr


def test_a_tilde_in_the_folder_is_the_home(tmp_path, monkeypatch):
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("SUPPLE_CACHE", "~/kept")
    assert cache.folder() == tmp_path / "kept"


def test_code_kept_elsewhere_by_one_thread_is_none_of_the_others_business(tmp_path, monkeypatch):
    monkeypatch.setenv("SUPPLE_CACHE", str(tmp_path / "usual"))
    inside, leave, seen = threading.Event(), threading.Event(), []

    def other():
        with cache.kept_in(str(tmp_path / "apart")):
            seen.append(cache.folder())
            inside.set()
            leave.wait(30)

    thread = threading.Thread(target=other)
    thread.start()
    inside.wait(30)
    seen.append(cache.folder())
    leave.set()
    thread.join()
    assert seen == [tmp_path / "apart", tmp_path / "usual"]
