"""A MATLAB (or GNU Octave) function: its file must have its name."""

from __future__ import annotations

import sympy

from ..parts import Parts, documented, horner, nonzero, plain

_WORDS = """break case catch classdef continue else elseif end for function global if otherwise
parfor persistent return spmd switch try while ans pi sin cos sqrt tanh max zeros numel nargin
isstruct isfield fieldnames setdiff error i j inf nan eps values names extra"""
RESERVED = frozenset(_WORDS.split())


def written(p: Parts) -> str:
    def show(e: sympy.Expr) -> str:
        return str(sympy.octave_code(e, user_functions=p.functions))

    call = f"[{p.results}] = {p.name}(q, qd"
    lines = [f"function {call}, p)"]
    lines += [f"%{p.name}  {plain(p.eq.robot.name)}: equations of motion, written by Supple."]
    lines += [f"%   {call}) at the state (q, qd), parameters as in the model;"]
    lines += [f"%   {call}, p) with others: p is a vector of all of them in the order"]
    lines += ["%   below, or a struct of those that change.", "%"]
    lines += [f"%   {line}".rstrip() for line in documented(p)]
    lines += _arguments(p)
    for array, names in p.groups:
        given = "values" if array == "p" else array
        lines += [f"    {n} = {given}({i + 1});" for i, n in enumerate(names)]
    lines += [f"    {s} = {show(e)};" for s, e in p.steps]
    for n, X in p.matrices.items():
        lines += [f"    {n} = zeros({X.rows}, {X.cols});"]
        lines += [f"    {n}({i + 1}, {j + 1}) = {show(x)};" for i, j, x in nonzero(X)]
    lines += ["end", ""]
    for k in p.series:
        lines += [f"function c = stumpff{k}(s)", f"    c = {horner(k)};", "end", ""]
    return "\n".join(lines)


def _arguments(p: Parts) -> list[str]:
    """Sizes checked; parameters as in the model, those of a struct, or a vector of all."""
    (_, q), (_, qd), (_, names) = p.groups
    values = ", ".join(repr(x.value) for x in p.eq.parameters)
    quoted = ", ".join(f"'{n}'" for n in names)
    return f"""\
    if numel(q) ~= {len(q)} || numel(qd) ~= {len(qd)}
        error('{p.name}: q must have {len(q)} numbers, qd {len(qd)}');
    end
    names = {{{quoted}}};
    values = [{values}];
    if nargin > 2 && isstruct(p)
        extra = setdiff(fieldnames(p), names);
        if ~isempty(extra)
            error('{p.name}: no parameter named %s', extra{{1}});
        end
        for k = 1:numel(names)
            if isfield(p, names{{k}})
                values(k) = p.(names{{k}});
            end
        end
    elseif nargin > 2
        if numel(p) ~= {len(names)}
            error('{p.name}: p must have {len(names)} numbers, or be a struct');
        end
        values = p;
    end""".splitlines()
