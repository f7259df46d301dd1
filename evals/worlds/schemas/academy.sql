CREATE TABLE 지점 (지점코드 TEXT PRIMARY KEY, 지점명 TEXT, 지역 TEXT);
CREATE TABLE 강사 (강사번호 INTEGER PRIMARY KEY, 강사명 TEXT, 담당과목 TEXT, 입사일 TEXT, 지점코드 TEXT);
CREATE TABLE 강좌 (강좌코드 TEXT PRIMARY KEY, 강좌명 TEXT, 과목 TEXT, 강사번호 INTEGER, 수강료 TEXT, 정원 INTEGER);
CREATE TABLE 학생 (학생번호 TEXT PRIMARY KEY, 이름 TEXT, 학년 INTEGER, 성별 TEXT, 보호자연락처 TEXT, 등록일자 TEXT, 지점코드 TEXT, 퇴원여부 TEXT);
CREATE TABLE "수강 신청" (신청번호 INTEGER PRIMARY KEY, 학생번호 TEXT, 강좌코드 TEXT, 신청일 TEXT, 상태 TEXT);
CREATE TABLE "수납-내역" (수납번호 INTEGER PRIMARY KEY, 신청번호 INTEGER, 납부일자 TEXT, 금액 TEXT, 결제수단 TEXT, 환불여부 TEXT);
CREATE TABLE 시험성적 (학생번호 TEXT, 시험일자 TEXT, 과목 TEXT, 점수 INTEGER, PRIMARY KEY (학생번호, 시험일자, 과목));
CREATE TABLE 학생_백업 AS SELECT * FROM 학생;
CREATE VIEW 재원생 AS SELECT * FROM 학생 WHERE 퇴원여부 = 'N';
