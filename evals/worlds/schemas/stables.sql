CREATE TABLE hrs (hrs_id INTEGER PRIMARY KEY, hrs_nm TEXT, breed TEXT, foal_yr INTEGER, hgt_cm INTEGER, stbl_cd TEXT, hrs_sts TEXT);
CREATE TABLE stbl (stbl_cd TEXT PRIMARY KEY, stbl_nm TEXT, stalls INTEGER);
CREATE TABLE rdr (rdr_id INTEGER PRIMARY KEY, rdr_nm TEXT, lvl TEXT, parish TEXT, join_dt TEXT, phone TEXT);
CREATE TABLE instr (instr_id INTEGER PRIMARY KEY, instr_nm TEXT, cert TEXT);
CREATE TABLE lssn_bk (bk_no INTEGER PRIMARY KEY, rdr_id INTEGER, hrs_id INTEGER, tchr_id INTEGER REFERENCES instr(instr_id), asst_id INTEGER REFERENCES instr(instr_id), lssn_ts INTEGER, mins INTEGER, fee TEXT, pd_yn TEXT, st_cd TEXT);
CREATE TABLE st (st_cd TEXT PRIMARY KEY, st_desc TEXT);
CREATE TABLE farr_vst (vst_id INTEGER PRIMARY KEY, hrs_id INTEGER, vst_dt TEXT, farrier TEXT, shoes INTEGER, cost REAL);
CREATE TABLE feed_dlv (dlv_no TEXT PRIMARY KEY, dlv_dt TEXT, supplier TEXT, feed_typ TEXT, wt_kg INTEGER, inv_amt TEXT, pd_dt TEXT);
