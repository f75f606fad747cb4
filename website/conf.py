"""What Sphinx is told. `website/building.py` runs it on pages that it has collected."""

TITLE = "Self-attention, step by step"

project, language = TITLE, "en"
extensions = ["myst_nb", "website.formulas", "website.headings", "website.head", "website.searching", "website.lines"]
html_theme = "furo"
html_title = TITLE
pygments_dark_style = "github-dark"
html_static_path = ["static"]  # and the folder that `building.py` fills with what attnlab has
html_css_files = ["course.css", "explorer.css", "first_page.css"]
html_favicon = "favicon.svg"
html_js_files = ["explorer.js", "scrolling.js", "predictions.js", "printing.js"]
templates_path = ["templates"]
html_additional_pages = {"search": "search.html"}
html_use_index = False  # it would be empty: no text names entries
html_copy_source = html_show_sourcelink = False  # the sources of pages are ours, and nobody needs them
html_show_sphinx = True
html_show_copyright = False  # LICENSE is the owner's
html_theme_options = {"footer_icons": [], "top_of_page_buttons": []}
nb_execution_mode = "off"  # what cells show was made by `make build`
nb_render_markdown_format = "myst"
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
html_math_renderer = "mathml"
nitpicky = True
