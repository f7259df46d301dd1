-- A music shop of our own: invented artists and people, rows made by arithmetic, declared keys.
CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, name TEXT NOT NULL, title TEXT, city TEXT);
CREATE TABLE customers (
  customer_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, city TEXT, country TEXT NOT NULL, email TEXT,
  joined_on DATE NOT NULL, staff_id INTEGER NOT NULL REFERENCES staff (staff_id));
CREATE TABLE genres (genre_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE artists (artist_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE albums (
  album_id INTEGER PRIMARY KEY, title TEXT NOT NULL, released_on DATE,
  artist_id INTEGER NOT NULL REFERENCES artists (artist_id));
CREATE TABLE tracks (
  track_id INTEGER PRIMARY KEY, title TEXT NOT NULL, album_id INTEGER NOT NULL REFERENCES albums (album_id),
  genre_id INTEGER NOT NULL REFERENCES genres (genre_id), seconds INTEGER NOT NULL, price NUMERIC(10, 2) NOT NULL);
CREATE TABLE invoices (
  invoice_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (customer_id),
  invoice_date DATE NOT NULL);
CREATE TABLE invoice_lines (
  line_id INTEGER PRIMARY KEY, invoice_id INTEGER NOT NULL REFERENCES invoices (invoice_id),
  track_id INTEGER NOT NULL REFERENCES tracks (track_id), quantity INTEGER NOT NULL, unit_price NUMERIC(10, 2) NOT NULL);
CREATE TABLE playlists (playlist_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE playlist_tracks (
  playlist_id INTEGER NOT NULL REFERENCES playlists (playlist_id),
  track_id INTEGER NOT NULL REFERENCES tracks (track_id), PRIMARY KEY (playlist_id, track_id));

INSERT INTO staff VALUES
  (1, 'Nora Lindqvist', 'Adviser', 'Oslo'), (2, 'Pavel Dvorsky', 'Adviser', 'Prague'), (3, 'Yuna Seo', 'Adviser', 'Busan'),
  (4, 'Tomas Rey', 'Manager', 'Oslo');
INSERT INTO genres VALUES (1, 'Rock'), (2, 'Jazz'), (3, 'Blues'), (4, 'Reggae'), (5, 'Opera'), (6, 'Metal');
INSERT INTO artists VALUES
  (1, 'Silverado'), (2, 'Marina Delta'), (3, 'The Paper Lanterns'), (4, 'Kilowatt'), (5, 'Rosalba Trio'),
  (6, 'Northern Static'), (7, 'Mandarino'), (8, 'Velvet Ferry'), (9, 'Bandolero'), (10, 'Tundra'),
  (11, 'Sons of Gravel'), (12, 'Halogen');
INSERT INTO playlists VALUES (1, 'Morning'), (2, 'Road trip'), (3, 'Late night'), (4, 'Focus'), (5, 'Party');
-- Artist 4 has eleven albums, artist 1 nine: neither shares its place.
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
INSERT INTO albums
SELECT i, 'Album ' || i, date('1995-02-01', '+' || (i * 173 % 10500) || ' days'),
  CASE WHEN i <= 11 THEN 4 WHEN i <= 20 THEN 1 ELSE i * 5 % 12 + 1 END
FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 720)
INSERT INTO tracks
SELECT i, 'Track ' || i, CASE WHEN i <= 40 THEN 3 ELSE i * 7 % 60 + 1 END,
  CASE WHEN i % 13 < 5 THEN 1 WHEN i % 13 < 8 THEN 2 WHEN i % 13 < 10 THEN 3 WHEN i % 13 = 10 THEN 4 WHEN i % 13 = 11 THEN 5 ELSE 6 END,
  95 + i * 37 % 331 + CASE WHEN i = 500 THEN 900 ELSE 0 END, CASE WHEN i % 9 = 0 THEN 1.29 WHEN i = 77 THEN 2.49 ELSE 0.99 END
FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90)
INSERT INTO customers
SELECT i, 'Customer ' || i,
  CASE i % 8 WHEN 0 THEN 'Oslo' WHEN 1 THEN 'Berlin' WHEN 2 THEN 'Paris' WHEN 3 THEN 'Toronto' WHEN 4 THEN 'Lyon' WHEN 5 THEN 'Hamburg'
    WHEN 6 THEN 'Busan' ELSE 'Berlin' END,
  CASE i % 8 WHEN 0 THEN 'Norway' WHEN 1 THEN 'Germany' WHEN 2 THEN 'France' WHEN 3 THEN 'Canada' WHEN 4 THEN 'France' WHEN 5 THEN 'Germany'
    WHEN 6 THEN 'South Korea' ELSE 'Germany' END,
  'c' || i || '@example.org', date('2021-03-01', '+' || (i * 17) || ' days'), CASE WHEN i % 7 < 3 THEN 1 WHEN i % 7 < 5 THEN 2 ELSE 3 END
FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 800)
INSERT INTO invoices
SELECT i, CASE WHEN i % 19 = 0 THEN 12 ELSE i * 7919 % 1009 % 90 + 1 END, date('2022-01-03', '+' || (i * 29 % 1440) || ' days')
FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2600)
INSERT INTO invoice_lines
SELECT i, (i * 11) % 800 + 1, i * 6841 % 2203 % 720 + 1, 1 + (i % 23 = 0), t.price
FROM n JOIN tracks t ON t.track_id = i * 6841 % 2203 % 720 + 1;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
INSERT OR IGNORE INTO playlist_tracks SELECT CASE WHEN i % 10 < 4 THEN 2 WHEN i % 10 < 7 THEN 1 WHEN i % 10 < 9 THEN 5 ELSE 3 END, i * 7 % 720 + 1 FROM n;
