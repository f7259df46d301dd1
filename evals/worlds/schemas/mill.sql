CREATE TABLE dangol (dangol_no INTEGER PRIMARY KEY, 성명 TEXT, jeonhwa TEXT, maeul TEXT, 등록일 TEXT);
CREATE TABLE 품목 (품목코드 TEXT PRIMARY KEY, 품목명 TEXT, 구분 TEXT, 판매단가 INTEGER);
CREATE TABLE 직원 (사번 TEXT PRIMARY KEY, 이름 TEXT, damdang TEXT);
CREATE TABLE 가공의뢰 (uiroe_no INTEGER PRIMARY KEY, 의뢰일 TEXT, dangol_no INTEGER, 가공종류 TEXT, 원료kg REAL, 산출kg REAL, gongim INTEGER, 완료일 TEXT, 수령일 TEXT, 접수자_사번 TEXT REFERENCES 직원(사번), 작업자_사번 TEXT REFERENCES 직원(사번), 상태 TEXT, 취소여부 TEXT);
CREATE TABLE tteok_jumun (jumun_no INTEGER PRIMARY KEY, 주문일 TEXT, dangol_no INTEGER, 수령방법 TEXT, napgi_ilja TEXT, 총금액 TEXT, 선금 INTEGER, 상태 TEXT);
CREATE TABLE tteok_jumun_sangse (jumun_no INTEGER, sunbeon INTEGER, 품목코드 TEXT, suryang INTEGER, 금액 INTEGER, PRIMARY KEY (jumun_no, sunbeon));
CREATE TABLE 기계 (기계번호 TEXT PRIMARY KEY, 기계명 TEXT, 구입일 TEXT, 구입가 INTEGER, 상태 TEXT);
CREATE TABLE 기계_고장 (고장번호 INTEGER PRIMARY KEY, 기계번호 TEXT, balsaeng_il TEXT, 복구일 TEXT, suri_biyong INTEGER);
