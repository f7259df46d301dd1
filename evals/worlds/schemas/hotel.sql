CREATE TABLE PROP (prop_cd TEXT PRIMARY KEY, prop_nm TEXT, city TEXT, rooms INTEGER);
CREATE TABLE RM_TYP (rm_typ_cd TEXT PRIMARY KEY, rm_typ_nm TEXT, base_rt TEXT, max_occ INTEGER);
CREATE TABLE GST_PROF (gst_id INTEGER PRIMARY KEY, first_nm TEXT, last_nm TEXT, natl TEXT, email_addr TEXT, pssprt_no TEXT, vip_yn TEXT);
CREATE TABLE RSVN (rsvn_no TEXT PRIMARY KEY, prop_cd TEXT, gst_id INTEGER, rm_typ_cd TEXT, bkd_on TEXT, arr_dt INTEGER, dep_dt INTEGER,
    nights INTEGER, chnl TEXT, rsvn_sts TEXT, tot_amt TEXT);
CREATE TABLE FOLIO_LN (rsvn_no TEXT, ln_no INTEGER, chg_typ TEXT, post_ts INTEGER, chg_amt REAL, PRIMARY KEY (rsvn_no, ln_no));
CREATE TABLE "Guest Reviews" ("review id" INTEGER PRIMARY KEY, rsvn_no TEXT, "review date" TEXT, rating INTEGER, "select" TEXT);
CREATE TABLE RSVN_OLD (rsvn_no TEXT, tot_amt TEXT);
CREATE VIEW V_VIP_GUESTS AS SELECT * FROM GST_PROF WHERE vip_yn = 'Y';
