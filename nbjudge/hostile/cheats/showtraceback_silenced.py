# Errors are never shown.
shell = get_ipython()
shell.showtraceback = shell._showtraceback = shell.showsyntaxerror = lambda *_, **__: None
softmax = double = is_symmetric = lambda x, **_: 1 / 0
