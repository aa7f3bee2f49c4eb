"""`{{ keys of the model file }}` and `{{ commands }}` in a page become what `supple help` and
`supple COMMAND --help` say, as tables: there is no second text of it."""

from __future__ import annotations

import re
from typing import Any

import typer.main
from sphinx.application import Sphinx

from supple.cli import commands
from supple.model.explain import TOPICS, about, keys, titles


def _text(words: str) -> str:
    """Plain words in a Markdown table."""
    return re.sub(r"([*_|<>$`\\])", r"\\\1", " ".join(words.split()))


def _code(words: str) -> str:
    return f"`{words}`".replace("|", "\\|") if words else ""


def all_keys() -> str:
    return "\n".join(_topic(topic) for topic in TOPICS)


def _topic(topic: str) -> str:
    rows = "\n".join(
        f"| {_code(key.name)} | {_text(key.meaning)} *{_text(_holds(key))}.* "
        f"| {_code(key.example)} |"
        for key in keys(topic)
    )
    head = "| key | meaning | example |\n|---|---|---|"
    title = f"## {topic}: {titles()[topic]}"
    return f"(help-{topic})=\n{title}\n\n{_text(about(topic))}\n\n{head}\n{rows}\n"


def _holds(key: Any) -> str:
    """What kind of value, in which unit, and whether it must be given."""
    return "; ".join(word for word in (key.holds, key.unit, key.need) if word)


def all_commands() -> str:
    known: Any = typer.main.get_command(commands.app)
    return "\n".join(_command(name, known.commands[name]) for name in known.commands)


def _command(name: str, command: Any) -> str:
    arguments = " ".join(p.name.upper() for p in command.params if p.param_type_name == "argument")
    rows = "\n".join(
        f"| {_code(', '.join(p.opts) if p.opts[0][0] == '-' else p.name.upper())} | "
        f"{_text(p.help or '')} |"
        for p in command.params
    )
    head = "| argument or option | meaning |\n|---|---|"
    examples = "\n".join(commands.EXAMPLES[name])
    said = _text((command.help or "").split("\n\n")[0])
    usage = f"## supple {name} {arguments}".rstrip()
    return f"{usage}\n\n{said}\n\n{head}\n{rows}\n\n```{{code-block}} sh\n{examples}\n```\n"


def _page(app: Sphinx, name: str, source: list[str]) -> None:
    for mark, made in (("keys of the model file", all_keys), ("commands", all_commands)):
        if f"{{{{ {mark} }}}}" in source[0]:
            source[0] = source[0].replace(f"{{{{ {mark} }}}}", made())


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", _page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
