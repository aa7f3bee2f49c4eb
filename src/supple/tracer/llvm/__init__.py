"""LLVM assembly: `builder` writes instructions, `elementary` functions made of them,
`kernels` a program for one state, `batches` the same for many states at once."""
