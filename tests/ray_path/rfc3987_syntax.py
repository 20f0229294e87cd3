"What Ray's processes find in the place of a package that compiles a grammar for a second or two whenever jsonschema is imported; it comes with JupyterLab, and jsonschema does without it."

raise ImportError('left out, so that Ray starts in time')
