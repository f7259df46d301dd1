CREATE TABLE BRNCH (brn_cd TEXT PRIMARY KEY, brn_nm TEXT, city TEXT);
CREATE TABLE STAFF (stf_id INTEGER PRIMARY KEY, stf_nm TEXT, brn_cd TEXT, mgr_id INTEGER REFERENCES STAFF(stf_id), hire_dt INTEGER);
CREATE TABLE BOOK_MST (isbn TEXT PRIMARY KEY, title TEXT, author_nm TEXT, genre_cd TEXT, pub_yr INTEGER, list_prc TEXT);
CREATE TABLE BOOK_COPY (isbn TEXT, copy_no INTEGER, brn_cd TEXT, cond TEXT, PRIMARY KEY (isbn, copy_no));
CREATE TABLE BRWR (brwr_id INTEGER PRIMARY KEY, brwr_nm TEXT, mbr_typ TEXT, home_brn_cd TEXT, join_dt INTEGER, mob TEXT, del_yn TEXT);
CREATE TABLE LOAN_TRX (loan_id INTEGER PRIMARY KEY, brwr_id INTEGER, isbn TEXT, copy_no INTEGER, loan_dt INTEGER, due_dt INTEGER,
    ret_dt INTEGER, stf_id INTEGER);
CREATE TABLE FINE (fine_id INTEGER PRIMARY KEY, loan_id INTEGER, fine_amt TEXT, paid_yn TEXT, issue_dt INTEGER);
CREATE TABLE LOAN_TRX_BAK_2024 AS SELECT * FROM LOAN_TRX;
CREATE TABLE CODE_DTL (cd_grp TEXT, cd TEXT, cd_nm TEXT, PRIMARY KEY (cd_grp, cd));
CREATE VIEW V_UNRETURNED AS SELECT loan_id, brwr_id, isbn, loan_dt, due_dt FROM LOAN_TRX WHERE ret_dt IS NULL;
