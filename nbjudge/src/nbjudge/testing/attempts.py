"""What a student may write to run a script, or to ask for something, in the browser of who opens a page. `RUN` and `ASK` are filled in."""

from __future__ import annotations

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

RUN = "(window.pwned=window.pwned||[]).push(1)"

# As the text of a Markdown cell, as an HTML output and as a Markdown output.
HTML = [
    "<script>RUN</script>",
    "<SCRIPT SRC=ASK/script></SCRIPT>",
    "<img src=x onerror=RUN>",
    '<img src="ASK/picture">',
    "<svg onload=RUN><script>RUN</script></svg>",
    "<svg><foreignObject><iframe srcdoc='<script>parent.RUN</script>'></iframe></foreignObject></svg>",
    "<svg><animate onbegin=RUN attributeName=x dur=1s>",
    "<svg><use href='ASK/use#x'/><image href='ASK/image'/></svg>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=RUN&gt;'>",
    "<noscript><p title='</noscript><img src=x onerror=RUN>'>",
    "<iframe src='javascript:parent.RUN'></iframe>",
    "<iframe src='ASK/frame'></iframe>",
    "<object data='ASK/object'></object><embed src='ASK/embed'>",
    "<meta http-equiv=refresh content='0;url=ASK/refresh'>",
    "<base href='ASK/base/'><img src='relative'>",
    "<link rel=stylesheet href='ASK/sheet'>",
    "<style>@import 'ASK/import'; body {display: none}</style>",
    "<div style='background:url(ASK/background)'>b</div>",
    "<div style='background:u\\72l(ASK/escaped)'>b</div>",
    "<div style='background-image:image-set(\"ASK/set\" 1x)'>b</div>",
    "<div style='list-style:url(ASK/list)'><ul><li>1</ul></div>",
    "<details ontoggle=RUN open><summary>s</summary></details>",
    "<input autofocus onfocus=RUN>",
    "<video src='ASK/video' poster='ASK/poster' onerror=RUN>",
    "<form action='ASK/form'><button id=send>send</button></form><script>document.forms[0].submit()</script>",
    "<a id=link href='javascript:RUN'>x</a>",
    "<a href='java&#x09;script:RUN'>x</a>",
    "<a href='data:text/html,<script>opener.RUN</script>'>x</a>",
    "<a href='vbscript:RUN'>x</a>",
    "<a href=' \x01javascript:RUN'>x</a>",
    "<img src='data:image/svg+xml,<svg onload=RUN>'>",
    "<div onmouseover=RUN //\n</div>",
    "<body onload=RUN>",
    "<table background='ASK/table'><tr><td>1</table>",
    "<img srcset='ASK/srcset 1x'>",
    "<a href=x ping='ASK/ping'>x</a>",
    "<template><script>RUN</script></template>",
    "<custom-element onfocus=RUN tabindex=0 autofocus>",
    "</div></div></div></div></body></html><script>RUN</script>",
    "<!--><script>RUN</script>-->",
    "<![CDATA[><script>RUN</script>]]>",
    "<div style='position:fixed;top:0;left:0;width:100%;height:100%;background:red;z-index:9999'>covers</div>",
    "<div style='margin-top:-5000px;height:9999px;background:red'>covers</div>",
    "<div class='navbar-fixed-top modal-backdrop'>covers</div>",
]
MARKDOWN = [
    "[x](javascript:RUN)",
    "[x](<java\tscript:RUN>)",
    "[x](&#106;avascript:RUN)",
    "<javascript:RUN>",
    "[x][r]\n\n[r]: javascript:RUN",
    "> [x][q]\n>\n> [q]: data:text/html,<script>RUN</script>",
    "![x](ASK/markdown-picture)",
    '![x](x "t\\" onerror=RUN")',
    "![a](attachment:evil.png)",
    "```mermaid\n<img src=x onerror=RUN>\n```",
    '```python" onmouseover="RUN\n1\n```',
    "# <img src=x onerror=RUN>",
    "$<img src=x onerror=RUN>$",
    "$\\href{javascript:RUN}{x}$ $\\style{background:url(ASK/mathjax)}{x}$",
    "\\begin{a}<img src=x onerror=RUN>\\end{a}",
    "| <img src=x onerror=RUN> |\n|--|",
    "`<img src=x onerror=RUN>`",
    "~~~html\n<img src=x onerror=RUN>\n~~~",
    "[logout](/logout) [x](../../../logout) [x](evil.html)",
    "<scr<script>ipt>RUN</script>",
    "<pre>\n\n<script>RUN</script></pre>",
    "&lt;img src=x onerror=RUN&gt;",
]
# As the text of a Markdown cell: formulas become MathML after the text was cleaned.
FORMULAS = [
    "$\\text{<img src=x onerror=RUN>}$",
    "$$\\text{</mtext></math><script>RUN</script>}$$",
    "![$\\text{a onerror=RUN }$](x.png)",
    '![$\\operatorname{x" onerror=RUN a="}$](x.png)',
    '<b title="\n\n$\\text{x onmouseover=RUN }$\n\n">b</b>',
    '# $\\text{" onmouseover=RUN }$',
    '[$\\text{<script>RUN</script>}$](x.md "$x$")',
    "<i title='$\\text{\"onclick=RUN}$'>i</i>",
    "$\\text{<style><!--</style><img title='--&gt;&lt;img src=1 onerror=RUN&gt;'>}$",
    "\\begin{align}\\text{<script>RUN</script>}\\end{align}",
    "$\\textcolor{red;background:url(ASK/colour)}{x}$",
    "$\\color{url(ASK/colour)}x$",
    "<math href='javascript:RUN'><mi>$x$</mi></math>",
    "$\\hspace{-999em}\\hspace{999em}x$",
    "`$x$` $\\html{<script>RUN</script>}$",
    "$\\begin{array}{<script>RUN</script>}x\\end{array}$",
]
# Mime bundles as a student's kernel may send them, with metadata.
BUNDLES = [
    ({"application/javascript": "RUN"}, {}),
    ({"text/javascript": "RUN"}, {}),
    ({"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg' onload='RUN'/>"}, {}),
    ({"image/png": 'iVBORw0KGgo=" onerror="RUN'}, {}),
    ({"image/png": "iVBORw0KGgo="}, {"image/png": {"width": "1 onerror=RUN", "alt": '"><script>RUN</script>'}}),
    ({"image/png": "iVBORw0KGgo="}, {"width": "1 onerror=RUN", "height": "1 onerror=RUN"}),
    ({"image/png": "iVBORw0KGgo="}, {"filenames": {"image/png": "ASK/filename"}}),
    ({"text/html": "<script>RUN</script>"}, {"text/html": {"isolated": True}}),
    ({"text/vnd.mermaid": "<img src=x onerror=RUN>"}, {}),
    ({"text/latex": "$\\href{javascript:RUN}{x}$<img src=x onerror=RUN>"}, {}),
    ({"application/pdf": "ASK"}, {}),
    ({"application/vnd.jupyter.widget-view+json": {"model_id": "</script><script>RUN</script>"}, "text/plain": "w"}, {}),
    ({'text/html"><script>RUN</script>': "<script>RUN</script>"}, {}),
    ({"text/plain": '<script>RUN</script>\x1b[38;5;1"onmouseover=RUNm x \x1b[31m<b>'}, {}),
    ({"application/x-evil": "<script>RUN</script>"}, {}),
    ({"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg'><image href='ASK/svg-image'/></svg>"}, {}),
]
CELLS = [
    "%%html\n<script>RUN</script><img src=x onerror=RUN>",
    "print('<script>RUN</script>\\x1b[31m<img src=x onerror=RUN>\\x1b[0m')",
    "raise ValueError('<img src=x onerror=RUN>')",
    "%%javascript\nRUN",
    "%%svg\n<svg xmlns='http://www.w3.org/2000/svg' onload='RUN'/>",
    "'</pre><script>RUN</script>'  # </pre><script>RUN</script>",
]


def attempts(ask: str) -> list[NotebookNode]:
    """Cells with all attempts; `ask` is the address of a server that notes what it is asked for."""

    def filled(text: str) -> str:
        return text.replace("RUN", RUN).replace("ASK", ask)

    texts = [new_markdown_cell(filled(text)) for text in (*HTML, *MARKDOWN, *FORMULAS)]
    for cell in texts:
        cell.metadata = {
            "tags": ['"><script>' + RUN + "</script>", "x onclick"],
            "alt": filled('"><img src=x onerror=RUN>'),
            "name": filled("<script>RUN</script>"),
        }
    pasted = texts[len(HTML) + MARKDOWN.index("![a](attachment:evil.png)")]
    pasted["attachments"] = {"evil.png": {f'image/png" onerror="{RUN}" x="': "AAAA"}}
    raw = new_raw_cell(filled("<script>RUN</script>"), metadata={"raw_mimetype": "text/html", "format": "text/html"})
    shown = [new_code_cell(f"display({filled(repr(data))}, metadata={filled(repr(about))}, raw=True)") for data, about in BUNDLES]
    shown += [
        new_code_cell(f"display({{{kind!r}: {filled(text)!r}}}, raw=True)")
        for kind in ("text/html", "text/markdown", "text/latex")
        for text in (*HTML, *MARKDOWN, *FORMULAS)
    ]
    return [*texts, raw, *shown, *(new_code_cell(filled(text)) for text in CELLS)]
