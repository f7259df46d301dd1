-- A clinic as such databases often are: no declared keys, mixed names, a table in Korean, one that is nobody's.
CREATE TABLE tbl_patient (patient_id INTEGER, patient_nm TEXT, sex TEXT, birth_dt TEXT, city TEXT, phone TEXT);
CREATE TABLE doctor (id INTEGER, name TEXT, dept TEXT);
CREATE TABLE Visits (visit_no INTEGER, PatientID INTEGER, doctor_id INTEGER, visit_dt TEXT, diagnosis TEXT, fee INTEGER);
CREATE TABLE prescription (rx_id INTEGER, visit_no INTEGER, drug_name TEXT, qty INTEGER, unit_cost REAL);
CREATE TABLE 결제 (결제번호 INTEGER, visit_no INTEGER, 결제일자 TEXT, 금액 INTEGER, 결제수단 TEXT);
CREATE TABLE tmp_backup_2024 (a TEXT, b TEXT);

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90)
INSERT INTO tbl_patient
SELECT i, '환자' || i, CASE WHEN i % 2 THEN 'F' ELSE 'M' END, date('1950-01-01', '+' || (i * 251) || ' days'),
  CASE i * 5 % 4 WHEN 0 THEN '서울' WHEN 1 THEN '부산' WHEN 2 THEN '대전' ELSE '광주' END, '010-0000-' || (1000 + i)
FROM n;
INSERT INTO doctor VALUES
  (1, '김하늘', '내과'), (2, '이도윤', '외과'), (3, '박서연', '내과'), (4, '최민준', '소아과'), (5, '정수아', '피부과');
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)
INSERT INTO Visits
SELECT i, (i * 37) % 90 + 1, CASE WHEN i % 3 = 0 THEN 1 ELSE (i * 7) % 5 + 1 END,
  date('2025-02-03', '+' || (i * 11 % 650) || ' days'),
  CASE i % 6 WHEN 0 THEN '감기' WHEN 1 THEN '고혈압' WHEN 2 THEN '당뇨' WHEN 3 THEN '두통' ELSE '기타' END,
  10000 + (i * 17 % 50) * 1000
FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
INSERT INTO prescription
SELECT i, (i * 19) % 700 + 1,
  CASE i * 3 % 7 WHEN 0 THEN 'Aspirin' WHEN 1 THEN 'Metformin' WHEN 2 THEN 'Ibuprofen' WHEN 3 THEN 'Amoxicillin' ELSE 'Lisinopril' END,
  i % 9 + 1, (i % 13 + 1) * 0.25
FROM n;
INSERT INTO 결제
SELECT visit_no, visit_no, date(visit_dt, '+' || (visit_no % 3) || ' days'), fee,
  CASE visit_no % 3 WHEN 0 THEN '현금' WHEN 1 THEN '카드' ELSE '계좌이체' END
FROM Visits WHERE visit_no % 20 <> 0;
