"The names of the package, by subject; each module has further ones."

# documents
from .documents.reading import Document as Document
from .documents.reading import read_folder as read_folder
from .documents.store import KnowledgeBase as KnowledgeBase
from .documents.embedding import Embedder as Embedder
from .saving import cache_dir as cache_dir
from .app.commands import DocumentFolder as DocumentFolder

# a guide to try it on
from .labels.guide import sample_documents as sample_documents
from .labels.guide import sample_kb as sample_kb
from .labels.guide import sample_questions as sample_questions
from .labels.guide import sample_unanswerable as sample_unanswerable
from .answers.sample import sample_calibration as sample_calibration

# questions
from .labels.question import Question as Question
from .labels.question import split_questions as split_questions
from .labels.files import load_questions as load_questions
from .labels.writing import generate_questions as generate_questions
from .evidence.two_sample import compare_questions as compare_questions

# scores
from .documents.late import LateHybrid as LateHybrid
from .documents.hybrid import Hybrid as Hybrid
from .documents.score import Distance as Distance
from .documents.score import Rank as Rank
from .documents.score import Margin as Margin
from .documents.score import Softmax as Softmax
from .documents.reranked import Reranked as Reranked

# labels
from .labels.judges import ContainsJudge as ContainsJudge
from .labels.judges import LikelihoodJudge as LikelihoodJudge
from .labels.judges import CompareJudge as CompareJudge
from .labels.judges import answering_chunks as answering_chunks
from .labels.labeling import label_questions as label_questions
from .labels.people import JudgingSession as JudgingSession

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

# guarantees
from .conformal.guarantee import ByDocument as ByDocument
from .conformal.guarantee import OfGroup as OfGroup
from .conformal.guarantee import Audited as Audited
from .conformal.guarantee import Gated as Gated

# retrieval
from .retrieval.calibration import calibrate as calibrate
from .retrieval.calibration import Calibration as Calibration
from .retrieval.promise import Promise as Promise
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
from .traq.sets import calibrate_answers as calibrate_answers
from .traq.assistant import AnswerSetRAG as AnswerSetRAG

# evidence
from .evidence.evaluation import rank_questions as rank_questions
from .evidence.evaluation import coverage_table as coverage_table
from .evidence.audit import draw_audit as draw_audit
from .evidence.audit import audit_labels as audit_labels
from .evidence.monitor import DriftMonitor as DriftMonitor
from .evidence.diagnosis import diagnose as diagnose

# widgets
from .show.alpha import AlphaExplorer as AlphaExplorer
from .show.sets import AnswerSetExplorer as AnswerSetExplorer
from .show.lottery import CoverageLottery as CoverageLottery
from .show.planner import SamplePlanner as SamplePlanner
from .show.exercise import Exercise as Exercise
from .show.prediction import Prediction as Prediction
from .show.prediction import YourCoverage as YourCoverage

__version__: str
