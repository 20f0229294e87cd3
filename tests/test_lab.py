"The notebooks in a real JupyterLab."

def test_a_notebook_runs(lab, page):
    lab.run(page, 'conformal.ipynb')
    assert page.locator('.jp-OutputArea-output img').count() > 0
    assert page.locator('.jp-RenderedText[data-mime-type="application/vnd.jupyter.stderr"]').count() == 0
    assert page.errors == [] and page.away == []
