from metaagent.level1.execution_manager.manage import execute

__all__ = ["execute"]
