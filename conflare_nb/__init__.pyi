"The names of the package, by subject; each module has further ones."

# documents
from .documents.reading import Document as Document
from .documents.reading import read_folder as read_folder
from .documents.store import KnowledgeBase as KnowledgeBase
from .documents.embedding import Embedder as Embedder
from .documents.embedding import cache_dir as cache_dir
from .calibration.folder import DocumentFolder as DocumentFolder

# a guide to try it on
from .questions.guide import sample_documents as sample_documents
from .questions.guide import sample_questions as sample_questions
from .questions.guide import sample_unanswerable as sample_unanswerable

# questions
from .questions.question import Question as Question
from .questions.question import split_questions as split_questions
from .questions.files import load_questions as load_questions
from .questions.writing import generate_questions as generate_questions
from .questions.likeness import compare_questions as compare_questions

# scores
from .scores.hybrid import Hybrid as Hybrid
from .scores.score import Distance as Distance
from .scores.score import Rank as Rank
from .scores.score import Margin as Margin
from .scores.score import Softmax as Softmax
from .scores.reranked import Reranked as Reranked

# labels
from .calibration.judges import ContainsJudge as ContainsJudge
from .calibration.judges import LikelihoodJudge as LikelihoodJudge
from .calibration.judges import CompareJudge as CompareJudge
from .calibration.judges import answering_chunks as answering_chunks
from .calibration.labeling import label_questions as label_questions
from .calibration.people import JudgingSession as JudgingSession

# conformal prediction
from .conformal.threshold import Alpha as Alpha
from .conformal.threshold import conformal_rank as conformal_rank
from .conformal.threshold import conformal_quantile as conformal_quantile
from .conformal.threshold import p_values as p_values
from .conformal.threshold import covered as covered
from .conformal.threshold import min_calibration_size as min_calibration_size
from .conformal.threshold import calibration_size as calibration_size
from .conformal.threshold import beta_band as beta_band
from .conformal.threshold import empirical_band as empirical_band

# retrieval
from .calibration.calibration import calibrate as calibrate
from .calibration.calibration import Calibration as Calibration
from .calibration.promise import Promise as Promise
from .retrieval.retriever import ConformalRetriever as ConformalRetriever
from .retrieval.retriever import TopKRetriever as TopKRetriever
from .retrieval.pipeline import calibrate_pipeline as calibrate_pipeline
from .retrieval.risk_control import RiskControl as RiskControl
from .retrieval.gate import calibrate_gate as calibrate_gate

# answers
from .answers.quotes import calibrate_quotes as calibrate_quotes
from .answers.quotes import Quoter as Quoter
from .models.load import load_llm as load_llm
from .answers.rag import ConformalRAG as ConformalRAG
from .answers.rag import do_certain_rag as do_certain_rag
from .answers.sets import calibrate_answers as calibrate_answers
from .answers.assistant import AnswerSetRAG as AnswerSetRAG

# evidence
from .retrieval.evaluation import rank_questions as rank_questions
from .retrieval.evaluation import coverage_table as coverage_table
from .calibration.audit import draw_audit as draw_audit
from .calibration.audit import audit_labels as audit_labels
from .retrieval.monitor import DriftMonitor as DriftMonitor
from .answers.diagnosis import diagnose as diagnose

# widgets
from .show.alpha import AlphaExplorer as AlphaExplorer
from .show.sets import AnswerSetExplorer as AnswerSetExplorer
from .show.lottery import CoverageLottery as CoverageLottery
from .show.planner import SamplePlanner as SamplePlanner
from .show.exercise import Exercise as Exercise

__version__: str
