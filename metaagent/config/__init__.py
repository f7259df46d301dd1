"""Settings: YAML, then environment (`METAAGENT_LIMITS__TURN_SECONDS=60`), then arguments; one frozen object.

`sections`, `serving` and `tools` say what can be set, `settings` holds it together, `loading` reads and checks it.
"""

from metaagent.config.loading import CONNECTED_FILE as CONNECTED_FILE
from metaagent.config.loading import ENV_NOT_SETTINGS as ENV_NOT_SETTINGS
from metaagent.config.loading import ENV_PREFIX as ENV_PREFIX
from metaagent.config.loading import load_settings as load_settings
from metaagent.config.loading import settings_list as settings_list
from metaagent.config.sections import MODEL_NAME as MODEL_NAME
from metaagent.config.sections import Access as Access
from metaagent.config.sections import Agents as Agents
from metaagent.config.sections import Approval as Approval
from metaagent.config.sections import Data as Data
from metaagent.config.sections import Documents as Documents
from metaagent.config.sections import Embeddings as Embeddings
from metaagent.config.sections import Isolation as Isolation
from metaagent.config.sections import Limits as Limits
from metaagent.config.sections import Memory as Memory
from metaagent.config.sections import Model as Model
from metaagent.config.sections import Policy as Policy
from metaagent.config.sections import Required as Required
from metaagent.config.sections import Retrieval as Retrieval
from metaagent.config.sections import Telemetry as Telemetry
from metaagent.config.serving import Oidc as Oidc
from metaagent.config.serving import Web as Web
from metaagent.config.settings import DEMO_FILE as DEMO_FILE
from metaagent.config.settings import LIBRARY_FILE as LIBRARY_FILE
from metaagent.config.settings import Settings as Settings
from metaagent.config.settings import data_url as data_url
from metaagent.config.settings import default_data_dir as default_data_dir
from metaagent.config.settings import domain_folder as domain_folder
from metaagent.config.tools import OpenApiTool as OpenApiTool
from metaagent.config.tools import Tool as Tool
from metaagent.config.tools import ToolParam as ToolParam
