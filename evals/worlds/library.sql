-- A public library that nobody's model knows: declared keys, plain names.
CREATE TABLE branches (branch_id INTEGER PRIMARY KEY, name TEXT NOT NULL, district TEXT NOT NULL, opened_on DATE);
CREATE TABLE members (
  member_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, gender TEXT, email TEXT, joined_on DATE NOT NULL,
  home_branch_id INTEGER REFERENCES branches (branch_id));
CREATE TABLE authors (author_id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT);
CREATE TABLE books (
  book_id INTEGER PRIMARY KEY, title TEXT NOT NULL, category TEXT NOT NULL, pages INTEGER,
  author_id INTEGER NOT NULL REFERENCES authors (author_id));
CREATE TABLE copies (
  copy_id INTEGER PRIMARY KEY, book_id INTEGER NOT NULL REFERENCES books (book_id),
  branch_id INTEGER NOT NULL REFERENCES branches (branch_id));
CREATE TABLE loans (
  loan_id INTEGER PRIMARY KEY, copy_id INTEGER NOT NULL REFERENCES copies (copy_id),
  member_id INTEGER NOT NULL REFERENCES members (member_id),
  loaned_on DATE NOT NULL, due_on DATE NOT NULL, returned_on DATE);
CREATE TABLE fines (
  fine_id INTEGER PRIMARY KEY, loan_id INTEGER NOT NULL REFERENCES loans (loan_id),
  amount NUMERIC(10, 2) NOT NULL, paid_on DATE);

INSERT INTO branches VALUES
  (1, 'Central', 'Downtown', '1990-05-01'), (2, 'Riverside', 'West', '2001-03-10'),
  (3, 'Hillcrest', 'North', '2012-09-01'), (4, 'Seaport', 'South', '2018-06-15');
INSERT INTO authors VALUES
  (1, 'Han Kang', 'South Korea'), (2, 'Jane Austen', 'United Kingdom'), (3, 'Mark Twain', 'United States'),
  (4, 'Albert Camus', 'France'), (5, 'Haruki Murakami', 'Japan'), (6, 'Toni Morrison', 'United States'),
  (7, 'Umberto Eco', 'Italy');
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
INSERT INTO books
SELECT i, 'Book ' || i,
  CASE i * 7 % 5 WHEN 0 THEN 'Fiction' WHEN 1 THEN 'History' WHEN 2 THEN 'Science' WHEN 3 THEN 'Children' ELSE 'Poetry' END,
  120 + i * 37 % 400, CASE WHEN i <= 13 THEN 5 ELSE i * 11 % 7 + 1 END
FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)
INSERT INTO copies SELECT i, (i * 13) % 60 + 1, CASE WHEN i % 9 < 4 THEN 1 WHEN i % 9 < 7 THEN 2 WHEN i % 9 = 7 THEN 3 ELSE 4 END FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 80)
INSERT INTO members
SELECT i, 'Member ' || i, CASE WHEN i % 3 = 0 THEN 'M' WHEN i % 11 = 0 THEN NULL ELSE 'F' END, 'm' || i || '@example.org',
  date('2024-01-10', '+' || (i * 9) || ' days'), i % 4 + 1
FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
INSERT INTO loans
SELECT i, (i * 29 + i * i) % 150 + 1, CASE WHEN i % 10 = 0 THEN 7 WHEN i % 17 = 0 THEN 21 ELSE (i * 31) % 80 + 1 END,
  date('2025-01-02', '+' || (i * 13 % 680) || ' days'), date('2025-01-16', '+' || (i * 13 % 680) || ' days'),
  CASE WHEN i % 8 = 0 THEN NULL ELSE date('2025-01-02', '+' || (i * 13 % 680 + 5 + i % 20) || ' days') END
FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
INSERT INTO fines SELECT i, (i * 7) % 900 + 1, (i * 3 % 11 + 1) * 0.5, CASE WHEN i % 4 = 0 THEN NULL ELSE '2026-06-01' END FROM n;
