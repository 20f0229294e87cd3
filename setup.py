"Package metadata, all of it read from settings.ini."
from configparser import ConfigParser
from pathlib import Path
from setuptools import setup, find_packages
from setuptools.command.build_py import build_py
import json, re

here = Path(__file__).parent
cfg = ConfigParser(delimiters=['='])
cfg.read(here/'settings.ini', encoding='utf-8')
d = cfg['DEFAULT']

def words(k): return d.get(k, '').split()

extras = {k.removeprefix('extra_'): words(k) for k in d if k.startswith('extra_')}
extras['all'] = sorted({r for v in extras.values() for r in v})
lib = d['lib_name']
licenses = {'apache2': 'Apache-2.0', 'mit': 'MIT'}
statuses = {'1':'Planning','2':'Pre-Alpha','3':'Alpha','4':'Beta','5':'Production/Stable'}

def described():
    "The README as the page of a package index shows it: every link and picture with its whole address."
    if not (here/'README.md').exists(): return d['description']
    text = re.sub(r'<!--.*?-->\n*', '', (here/'README.md').read_text(encoding='utf-8'), flags=re.S)
    repo, site = d['git_url'], d['doc_host']+d['doc_baseurl']

    def whole(link):
        if re.match(r'[a-z]+:|#', link): return link
        if link.endswith(('.webp', '.png', '.svg')): return f"{repo.replace('github.com', 'raw.githubusercontent.com')}/{d['branch']}/{link}"
        page = re.fullmatch(r'nbs/(.+)\.ipynb(#.+)?', link)
        return f"{site}{page[1]}.html{page[2] or ''}" if page else f"{repo}/blob/{d['branch']}/{link}"

    return re.sub(r'(?<=\]\()[^)\s]+(?=\))', lambda m: whole(m[0]), text)

class WithLessons(build_py):
    "The package brings the lessons along, without their outputs: `conflare lesson`."
    def run(self):
        super().run()
        nbs, home = here/'nbs', Path(self.build_lib)/lib/'data/lessons'
        if getattr(self, 'editable_mode', False): return    # a clone has them
        for file in (nbs/'learn.ipynb', *sorted((nbs/'tutorials').glob('*.ipynb'))):
            nb = json.loads(file.read_text(encoding='utf-8'))
            for cell in nb['cells']:
                if cell['cell_type'] == 'code': cell.update(outputs=[], execution_count=None)
            to = home/file.relative_to(nbs)
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_text(json.dumps(nb, ensure_ascii=False), encoding='utf-8')

setup(
    name=lib, version=d['version'], description=d['description'], keywords=d['keywords'],
    author=d['author'], author_email=d['author_email'], license_expression=licenses[d['license']],
    long_description=described(), long_description_content_type='text/markdown',
    packages=find_packages(include=[lib, f'{lib}.*']), include_package_data=True, zip_safe=False, cmdclass=dict(build_py=WithLessons),
    python_requires=f">={d['min_python']},<3.{int(d['max_python'].split('.')[1])+1}", install_requires=words('requirements'), extras_require=extras,
    entry_points={'console_scripts': words('console_scripts'), 'nbdev': [f'{lib}={lib}._modidx:d']},
    classifiers=[f"Development Status :: {d['status']} - {statuses[d['status']]}", f"Intended Audience :: {d['audience']}",
                 f"Natural Language :: {d['language']}", 'Operating System :: OS Independent', 'Framework :: Jupyter',
                 'Topic :: Scientific/Engineering :: Artificial Intelligence', 'Typing :: Typed', 'Programming Language :: Python :: 3', *[f'Programming Language :: Python :: 3.{i}' for i in range(int(d['min_python'].split('.')[1]), int(d['max_python'].split('.')[1])+1)]],
)
