"Package metadata, all of it read from settings.ini."
from configparser import ConfigParser
from pathlib import Path
from setuptools import setup, find_packages
from setuptools.command.build_py import build_py
import json

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
    author=d['author'], author_email=d['author_email'], license=licenses[d['license']],
    long_description=(here/'README.md').read_text(encoding='utf-8') if (here/'README.md').exists() else d['description'],
    long_description_content_type='text/markdown',
    url=d['git_url'],
    packages=find_packages(include=[lib, f'{lib}.*']), include_package_data=True, zip_safe=False, cmdclass=dict(build_py=WithLessons),
    python_requires=f">={d['min_python']},<3.{int(d['max_python'].split('.')[1])+1}", install_requires=words('requirements'), extras_require=extras,
    entry_points={'console_scripts': words('console_scripts'), 'nbdev': [f'{lib}={lib}._modidx:d']},
    classifiers=[f"Development Status :: {d['status']} - {statuses[d['status']]}", f"Intended Audience :: {d['audience']}",
                 f"Natural Language :: {d['language']}", *[f'Programming Language :: Python :: 3.{i}' for i in range(int(d['min_python'].split('.')[1]), int(d['max_python'].split('.')[1])+1)]],
)
