CREATE TABLE "wh-mst" (wh_cd TEXT PRIMARY KEY, wh_nm TEXT, rgn TEXT);
CREATE TABLE cust_mst (cust_no TEXT PRIMARY KEY, cust_nm TEXT, cust_grd TEXT, biz_no TEXT, tel TEXT, use_yn TEXT);
CREATE TABLE drvr (drvr_id INTEGER PRIMARY KEY, drvr_nm TEXT, lic_typ TEXT, hire_dt TEXT);
CREATE TABLE veh (veh_no TEXT PRIMARY KEY, veh_typ TEXT, max_wt_kg INTEGER, drvr_id INTEGER REFERENCES drvr(drvr_id));
CREATE TABLE shpmt_hdr (shp_no TEXT PRIMARY KEY, cust_no TEXT REFERENCES cust_mst(cust_no), from_wh_cd TEXT, to_wh_cd TEXT, veh_no TEXT,
    ord_dt TEXT, pickup_at INTEGER, dlv_dt TEXT, sts_cd TEXT, frt_amt TEXT, ins_amt INTEGER);
CREATE TABLE shpmt_dtl (shp_no TEXT, ln_no INTEGER, itm_nm TEXT, qty INTEGER, wt_kg REAL, ln_amt INTEGER, PRIMARY KEY (shp_no, ln_no));
CREATE TABLE cmn_cd (grp_cd TEXT, cd TEXT, cd_nm TEXT);
CREATE TABLE "claims" ("claim no" INTEGER PRIMARY KEY, shp_no TEXT, claim_dt TEXT, claim_amt REAL, rsn TEXT);
CREATE TABLE tmp_load_20261001 (x TEXT);
CREATE TABLE "Empty Table" (a TEXT, b TEXT);
CREATE VIEW v_delivered AS SELECT * FROM shpmt_hdr WHERE sts_cd = '40';
