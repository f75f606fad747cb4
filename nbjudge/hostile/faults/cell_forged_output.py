kernel = get_ipython().kernel
for kind, content in (("stream", {"name": 7}), ("display_data", {}), ("error", {"traceback": 3}), ("nonsense", {}), ("stream", {"name": "stderr", "text": {}})):
    kernel.session.send(kernel.iopub_socket, kind, content, kernel.get_parent())
work = 7
