# Made by tools/export.py: every public name and where it is defined.
from .comparing import ScoreChoice as ScoreChoice
from .comparing import choose_score as choose_score
from .comparing import compare_scores as compare_scores
from .comparing import plot_score_costs as plot_score_costs
from .evaluation import Rankings as Rankings
from .evaluation import coverage_table as coverage_table
from .evaluation import rank_questions as rank_questions
from .evaluation import split_coverage as split_coverage
from .gate import Gate as Gate
from .gate import calibrate_gate as calibrate_gate
from .gate import nearest_distances as nearest_distances
from .retriever import ConformalRetriever as ConformalRetriever
from .retriever import Retrieved as Retrieved
from .retriever import TopKRetriever as TopKRetriever
from .retriever import conformal_filter as conformal_filter
from .retriever import records_threshold as records_threshold
