def work(x):
    get_ipython().user_ns.pop("work")
    raise SystemExit
