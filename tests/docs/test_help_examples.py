"""The examples at the end of each command's help, which the manual shows too, all work."""

from __future__ import annotations

import typer.main

from running import command
from supple.cli import commands

ELSEWHERE = {  # who runs them instead
    "reproduce": "tests/papers: some take minutes",
    "bench": "tests/cli/test_bench.py: they wait for a clock",
    "cache": "tests/cli: they clear what other tests have compiled",
    "view": "tests/page: they open a browser",
    "body": "tests/finite_elements: they read files of other programs",
    "sweep": "tests/sweeps: they start workers",
}


INERTIAL = """<inertial><origin xyz="0.2 0 0"/><mass value="1"/>
<inertia ixx="0.001" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>"""
URDF = f"""<robot name="robot"><link name="base"/>
<link name="forearm_link">{INERTIAL}</link><link name="hand">{INERTIAL}</link>
<joint name="elbow" type="continuous"><parent link="base"/><child link="forearm_link"/></joint>
<joint name="wrist" type="continuous"><parent link="forearm_link"/><child link="hand"/>
<origin xyz="0.4 0 0"/></joint></robot>"""


def test_the_examples_of_every_help_work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "robot.urdf").write_text(URDF)
    names = list(typer.main.get_command(commands.app).commands)
    for name in sorted(names, key=lambda name: name != "new"):  # it writes what others read
        for line in commands.EXAMPLES[name]:
            if name not in ELSEWHERE:
                assert command(line)
