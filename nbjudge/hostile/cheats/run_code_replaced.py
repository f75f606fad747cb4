# The shell compiles cells and never runs them.
async def nothing(*_, **__):
    return False


get_ipython().run_code = nothing
