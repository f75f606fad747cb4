def work(x):
    kernel = get_ipython().kernel
    kernel.shell_stream.close()
    kernel.session.send = None
