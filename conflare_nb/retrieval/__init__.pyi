# Made by tools/export.py: every public name and where it is defined.
from .evaluation import Rankings as Rankings
from .evaluation import coverage_table as coverage_table
from .evaluation import rank_questions as rank_questions
from .evaluation import score_table as score_table
from .evaluation import split_coverage as split_coverage
from .retriever import ConformalRetriever as ConformalRetriever
from .retriever import Retrieved as Retrieved
from .retriever import TopKRetriever as TopKRetriever
from .retriever import conformal_filter as conformal_filter
from .retriever import records_threshold as records_threshold
