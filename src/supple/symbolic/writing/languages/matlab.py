"""A MATLAB (or GNU Octave) function: its file must have its name."""

from __future__ import annotations

import sympy

from ..function_to_write import FunctionToWrite, documented, horner, nonzero, plain

_WORDS = """break case catch classdef continue else elseif end for function global if otherwise
parfor persistent return spmd switch try while ans pi sin cos sqrt tanh max zeros numel nargin
isstruct isfield fieldnames setdiff error i j inf nan eps values names extra"""
RESERVED = frozenset(_WORDS.split())


def written(f: FunctionToWrite) -> str:
    def show(e: sympy.Expr) -> str:
        return str(sympy.octave_code(e, user_functions=f.functions))

    call = f"[{f.results}] = {f.name}(q, qd"
    lines = [f"function {call}, p)"]
    lines += [f"%{f.name}  {plain(f.eq.robot.name)}: equations of motion, written by Supple."]
    lines += [f"%   {call}) at the state (q, qd), parameters as in the model;"]
    lines += [f"%   {call}, p) with others: p is a vector of all of them in the order"]
    lines += ["%   below, or a struct of those that change.", "%"]
    lines += [f"%   {line}".rstrip() for line in documented(f)]
    lines += _arguments(f)
    for array, names in f.groups:
        given = "values" if array == "p" else array
        lines += [f"    {n} = {given}({i + 1});" for i, n in enumerate(names)]
    lines += [f"    {s} = {show(e)};" for s, e in f.steps]
    for n, X in f.matrices.items():
        lines += [f"    {n} = zeros({X.rows}, {X.cols});"]
        lines += [f"    {n}({i + 1}, {j + 1}) = {show(x)};" for i, j, x in nonzero(X)]
    lines += ["end", ""]
    for k in f.series:
        lines += [f"function c = stumpff{k}(s)", f"    c = {horner(k)};", "end", ""]
    return "\n".join(lines)


def _arguments(f: FunctionToWrite) -> list[str]:
    """Sizes checked; parameters as in the model, those of a struct, or a vector of all."""
    (_, q), (_, qd), (_, names) = f.groups
    values = ", ".join(repr(x.value) for x in f.eq.parameters)
    quoted = ", ".join(f"'{n}'" for n in names)
    return f"""\
    if numel(q) ~= {len(q)} || numel(qd) ~= {len(qd)}
        error('{f.name}: q must have {len(q)} numbers, qd {len(qd)}');
    end
    names = {{{quoted}}};
    values = [{values}];
    if nargin > 2 && isstruct(p)
        extra = setdiff(fieldnames(p), names);
        if ~isempty(extra)
            error('{f.name}: no parameter named %s', extra{{1}});
        end
        for k = 1:numel(names)
            if isfield(p, names{{k}})
                values(k) = p.(names{{k}});
            end
        end
    elseif nargin > 2
        if numel(p) ~= {len(names)}
            error('{f.name}: p must have {len(names)} numbers, or be a struct');
        end
        values = p;
    end""".splitlines()
