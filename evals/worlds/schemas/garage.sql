CREATE TABLE 고객정보 (고객ID INTEGER PRIMARY KEY, 성명 TEXT, 등급 TEXT, 휴대폰 TEXT, 가입일 TEXT, 탈퇴여부 TEXT);
CREATE TABLE 차량정보 (차량번호 TEXT PRIMARY KEY, 고객ID INTEGER, 제조사 TEXT, 차종 TEXT, 연식 INTEGER, 주행거리 INTEGER);
CREATE TABLE 정비사 (정비사코드 TEXT PRIMARY KEY, 정비사명 TEXT, 직급 TEXT, 입사일자 TEXT);
CREATE TABLE 정비접수 (접수번호 TEXT PRIMARY KEY, 차량번호 TEXT, 접수정비사코드 TEXT, 담당정비사코드 TEXT, 접수일시 TEXT, 완료일시 TEXT, 진행상태 TEXT, 총금액 TEXT);
CREATE TABLE "정비 상세" (접수번호 TEXT, 순번 INTEGER, 작업구분 TEXT, 부품코드 TEXT, 수량 INTEGER, 금액 INTEGER, PRIMARY KEY (접수번호, 순번));
CREATE TABLE 부품 (부품코드 TEXT PRIMARY KEY, 부품명 TEXT, 단가 INTEGER, 재고수량 INTEGER);
CREATE TABLE 임시_집계 (a TEXT);
