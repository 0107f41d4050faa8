"""The Gradio apps of the metrics, one page a metric, and the command that publishes them as Spaces.

    from tricord.spaces.app import build_app, serve

    serve(["dico_nli"])

`app` and the pages need the extra `spaces` (`pip install 'tricord[spaces]'`), which brings gradio and plotly; nothing else in
tricord imports them.
"""
