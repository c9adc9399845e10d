"""Sphinx configuration."""

import sys
from pathlib import Path

import firstbad

sys.path.insert(0, str(Path(__file__).parent))

project = "firstbad"
author = "the authors of firstbad"
version = release = firstbad.__version__
html_title = f"firstbad {version}"
html_theme = "furo"
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
html_static_path = ["static", "node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js"]
html_css_files = ["site.css"]
html_theme_options = {"source_edit_link": "", "top_of_page_buttons": []}

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
    "markup",
    "tabs",
]
exclude_patterns = ["**/node_modules"]
myst_heading_anchors = 5
myst_enable_extensions = ["colon_fence"]
suppress_warnings = ["myst.header"]  # pages of measurements start at the second level
highlight_language = "text"
pygments_style = "tango"
pygments_dark_style = "github-dark"
copybutton_prompt_text = r"\$ |> "
copybutton_prompt_is_regexp = True
copybutton_selector = "div:not(.highlight-text) > div.highlight pre"

autodoc_mock_imports = ["matplotlib"]
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
autodoc_class_signature = "mixed"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
napoleon_numpy_docstring = False
napoleon_use_rtype = False
default_role = "name"
