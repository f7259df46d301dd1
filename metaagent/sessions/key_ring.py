"""Opens the keys of an installation."""

from __future__ import annotations

from metaagent.config import Settings
from metaagent.errors import KeyUnavailable, Text
from metaagent.protection.keys import KeyRing, missing_kek, provider

_NO_KEY_FILE = Text(
    en="The key file {path} is missing, and what lies beside it was sealed with its keys. Restore it from a backup: with new "
    "keys, nothing of it could be read. To begin anew, use an empty data directory.",
    ko="키 파일 {path}이(가) 없고, 같은 폴더의 자료는 그 키로 봉인되어 있습니다. 백업에서 복구하세요. 새 키로는 아무것도 "
    "읽을 수 없습니다. 새로 시작하려면 빈 데이터 디렉터리를 쓰세요.",
)


def open_ring(settings: Settings) -> KeyRing:
    """The keys of this installation; made at the first start, and never again where keys are already."""
    setting = settings.keys.provider or f"file:{settings.data_dir / 'kek'}"
    path = settings.data_dir / "keys.json"
    sealed = [settings.data_dir / "metaagent.db", *(settings.data_dir / "audit").glob("*.notes")]
    if not path.exists() and any(each.exists() for each in sealed):
        raise KeyUnavailable(_NO_KEY_FILE, path=path)
    try:
        ring = KeyRing(path, provider(setting, create=not path.exists()))
        ring.check()
    except KeyUnavailable as error:
        raise missing_kek(error, path) from error
    return ring
