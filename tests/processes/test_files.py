"""Files written by several threads and processes; the permissions of new files."""

import os
import stat
import subprocess
import sys
import threading

import pytest

from supple.files import write_whole

posix = pytest.mark.skipif(os.name != "posix", reason="files have no such permissions here")


@posix
@pytest.mark.parametrize("umask", [0o022, 0o077, 0o000, 0o027])
def test_a_new_file_has_the_permissions_of_one_that_open_makes(tmp_path, umask):
    code = (
        f"import os, sys; os.umask({umask}); os.chdir(sys.argv[1]); from supple.files import *;"
        " write_whole('ours', 'x'); open('plain', 'w').close()"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, timeout=60)
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("ours", "plain")}
    assert modes == {0o666 & ~umask}


def test_no_write_changes_the_umask_of_the_process(tmp_path, monkeypatch):
    """For an instant it would be that of every thread, whose new files anybody could write."""
    monkeypatch.setattr(os, "umask", lambda mask: pytest.fail("the umask was set"))
    write_whole(tmp_path / "a.txt", "x")
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_threads_that_write_the_same_file_leave_it_whole(tmp_path):
    texts = [letter * 100_000 for letter in "abcdefgh"]
    threads = [
        threading.Thread(target=lambda x=x: [write_whole(tmp_path / "a", x) for _ in range(5)])
        for x in texts
    ]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert (tmp_path / "a").read_text() in texts
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
