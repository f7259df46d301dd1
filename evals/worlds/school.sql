-- An online school: camel case, two links to one table, a table between two others, dates with times.
CREATE TABLE Teacher (TeacherId INTEGER PRIMARY KEY, FirstName TEXT, LastName TEXT, Subject TEXT, Salary INTEGER, HiredAt TEXT);
CREATE TABLE Student (StudentId INTEGER PRIMARY KEY, FullName TEXT, Country TEXT, Age INTEGER, Gender TEXT, JoinedAt TEXT);
CREATE TABLE Course (
  CourseId INTEGER PRIMARY KEY, Title TEXT, Level TEXT, Price REAL, Hours INTEGER,
  TeacherId INTEGER REFERENCES Teacher (TeacherId), AssistantTeacherId INTEGER REFERENCES Teacher (TeacherId));
CREATE TABLE Enrollment (
  EnrollmentId INTEGER PRIMARY KEY, StudentId INTEGER REFERENCES Student (StudentId),
  CourseId INTEGER REFERENCES Course (CourseId), EnrolledAt TEXT, Score REAL, PaidAmount REAL, Status TEXT);
CREATE TABLE Review (
  ReviewId INTEGER PRIMARY KEY, CourseId INTEGER REFERENCES Course (CourseId), StudentId INTEGER REFERENCES Student (StudentId),
  Rating INTEGER, Comment TEXT, CreatedAt TEXT);
INSERT INTO Teacher VALUES
  (1, 'Anna', 'Schmidt', 'Math', 52000, '2019-03-01 09:00:00'), (2, 'Brian', 'Cole', 'Physics', 48000, '2020-08-15 09:00:00'),
  (3, 'Chloe', 'Park', 'Korean', 45000, '2021-01-10 09:00:00'), (4, 'David', 'Silva', 'Math', 61000, '2018-05-20 09:00:00'),
  (5, 'Emma', 'Novak', 'History', 39000, '2023-02-02 09:00:00');
INSERT INTO Course VALUES
  (1, 'Algebra', 'Beginner', 99.0, 20, 1, 4), (2, 'Calculus', 'Advanced', 189.0, 45, 4, 1), (3, 'Mechanics', 'Intermediate', 149.0, 30, 2, 1),
  (4, 'Hangul', 'Beginner', 59.0, 12, 3, 5), (5, 'Korean Conversation', 'Intermediate', 129.0, 24, 3, 5), (6, 'World History', 'Beginner', 79.0, 18, 5, 3),
  (7, 'Statistics', 'Intermediate', 159.0, 36, 4, 2), (8, 'Quantum', 'Advanced', 249.0, 50, 2, 4);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
INSERT INTO Student
SELECT i, 'Student ' || i,
  CASE i * 7 % 6 WHEN 0 THEN 'South Korea' WHEN 1 THEN 'Japan' WHEN 2 THEN 'Germany' WHEN 3 THEN 'Brazil' WHEN 4 THEN 'Vietnam' ELSE 'United States' END,
  15 + i * 13 % 40, CASE WHEN i % 5 < 2 THEN 'male' ELSE 'female' END, date('2024-02-01', '+' || (i * 5) || ' days') || ' 10:00:00'
FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100)
INSERT INTO Enrollment
SELECT i, (i * 17) % 120 + 1, CASE WHEN i % 4 = 0 THEN 5 ELSE (i * 5 + i / 7) % 8 + 1 END,
  date('2025-01-03', '+' || (i * 7 % 670) || ' days') || ' ' || printf('%02d:30:00', i % 24), 40 + (i * 11) % 61,
  (SELECT Price FROM Course WHERE CourseId = CASE WHEN i % 4 = 0 THEN 5 ELSE (i * 5 + i / 7) % 8 + 1 END) * (1 - (i % 3) * 0.1),
  CASE i % 9 WHEN 0 THEN 'dropped' WHEN 1 THEN 'active' ELSE 'completed' END
FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 260)
INSERT INTO Review SELECT i, (i * 3) % 8 + 1, (i * 11) % 120 + 1, i * 7 % 5 + 1, 'a remark', date('2025-03-01', '+' || (i * 2) || ' days') || ' 12:00:00' FROM n;
