"What holds for the script and the styles of every widget."

import re


def asks_nobody(js, css):
    "Nothing is fetched, evaluated or written as HTML."
    assert not [
        x for x in ('innerHTML', 'insertAdjacentHTML', 'eval(', 'fetch(', 'import(') if x in js
    ]
    assert re.findall(r'\w+://[^"\']+', js) == ['http://www.w3.org/2000/svg']
    assert '://' not in css and '@import' not in css
