def test_probe(open_lab):
    lab = open_lab("learner")
    page = lab.page
    page.locator(".jp-NotebookPanel .jp-RenderedMarkdown table").wait_for()
    page.wait_for_timeout(5000)
    lab.picture("probe-start")
    open("/tmp/probe.html","w").write(page.content())
