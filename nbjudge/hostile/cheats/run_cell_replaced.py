# The shell no longer runs cells.
shell = get_ipython()


class Result:
    success, error_before_exec, error_in_exec, result = True, None, None, None
    execution_count = 1

    def raise_error(self):
        pass


async def nothing(*_, **__):
    return Result()


shell.run_cell = lambda *_, **__: Result()
shell.run_cell_async = nothing
