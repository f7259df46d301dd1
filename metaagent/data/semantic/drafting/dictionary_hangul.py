# ruff: noqa: E501 - a table of words is read by its columns
"""Korean nouns that tables and columns are called by, in English: those that no English name is translated to; `말=word,word`."""

from __future__ import annotations

_LISTED = """
발전소=plant,power plant,power station; 발전=generation,power generation; 발전량=generation,power generation,output; 시도=province; 시군구=district,city; 고장=fault,failure,breakdown; 접수=report,filing,receipt; 조치=action,fix,repair; 정산서=settlement,bill,statement; 정산=settlement; 공급가액=supply amount,supply value; 가액=amount,value
입금=payment,deposit; 청구=billing,claim; 자재=material; 목표=target; 목표량=target; 일조=sunshine; 준공=completion; 판정=verdict,result; 야영지=campsite,pitch,site; 구역=zone,area,district; 예약=reservation,booking,appointment; 쓰레기=garbage,waste,trash,rubbish; 배출=discharge,emission; 배출량=discharge,emission,amount discharged; 한도=limit; 전기=electricity,power; 수도=water; 사용량=usage,consumption; 사용=use,usage; 이용료=fee,usage fee; 요금=fee,charge
신고=report; 시설=facility; 설비=equipment,facility; 인원=people,guest; 이용인원=guest,people,visitor; 최대=maximum; 입실=check-in,arrival; 퇴실=check-out,departure; 정기점검=regular inspection,inspection,routine inspection; 정기=regular; 점검=inspection,check; 점검자=inspector; 담당자=person in charge; 소유주=owner; 계약상태=contract status; 처리상태=status; 진행상태=status; 장비=equipment; 용량=capacity; 정원=capacity; 규모=size; 면적=area
물량=volume; 중량=weight; 생산량=production,output; 수확량=harvest,yield; 판매량=sales volume; 방문객=visitor; 관람객=visitor; 회차=round; 차수=round; 품목=item; 거래처=client,customer; 업체=company,vendor; 협력사=partner; 공급사=supplier; 매장=store,shop; 지점=branch; 지사=branch office; 영업점=branch; 창고=warehouse; 공장=factory,plant; 현장=site; 공사=construction work,project; 하자=defect; 보수=repair,maintenance; 정비=maintenance,service; 수리=repair
부품=part; 공구=tool; 차량=vehicle; 기사=driver; 운행=trip,run; 배차=dispatch; 노선=route; 운임=fare,freight; 화물=cargo,freight; 선박=vessel,ship; 항차=voyage; 어획=catch; 어획량=catch; 위판=auction; 농가=farm,farmer; 작물=crop; 재배=cultivation; 출하=shipment; 등급=grade; 단가=unit price; 수량=quantity; 금액=amount; 부가세=vat,tax; 세액=tax; 총액=total; 합계=total; 잔액=balance; 미수금=receivable,outstanding amount; 수납=payment; 납부=payment
수강생=student; 강사=teacher,instructor; 강좌=course,class; 수업=class,lesson; 출석=attendance; 결석=absence; 평가=evaluation; 점수=score; 상담=consultation; 민원=complaint; 환자=patient; 진료=visit,treatment; 진료비=medical fee,treatment cost; 처방=prescription; 검사=test,inspection; 보호자=guardian; 반려동물=pet; 동물=animal; 접종=vaccination; 입양=adoption; 보호소=shelter; 기부=donation; 후원=donation,sponsorship; 후원자=donor,sponsor; 봉사자=volunteer; 헌혈=blood donation,donation; 헌혈자=donor,blood donor
대여=rental; 반납=return; 연체=overdue; 도서=book; 이용자=user; 회원=member; 등록=registration; 가입=join,signup; 탈퇴=withdrawal; 구독=subscription; 해지=cancellation; 취소=cancellation; 환불=refund; 할인=discount; 쿠폰=coupon; 광고=advertisement,ad; 행사=event; 공연=performance,show; 관객=audience; 객실=room; 투숙객=guest; 숙박=stay; 조식=breakfast; 식당=restaurant; 메뉴=menu item; 주문=order; 배달=delivery; 배송=delivery,shipment; 택배=parcel; 송장=waybill
직원=employee,staff; 사원=employee; 부서=department; 급여=salary,pay; 근무=shift,work; 근태=attendance; 휴가=leave; 교육=training; 안전=safety; 사고=accident; 측정=measurement; 측정값=reading; 수질=water quality; 온도=temperature; 습도=humidity; 농도=concentration; 기준=standard; 기준월=month; 기준년월=month; 년월=month; 실적=result,performance; 월=month; 폐기물=waste; 수거=collection; 수거량=amount collected; 재활용=recycling; 소각=incineration; 처리량=throughput; 가동=operation; 가동률=operating rate; 불량=defect; 불량률=defect rate; 공정=process; 작업=work,job; 작업자=worker
"""
FROM_HANGUL: dict[str, list[str]] = {}
for _entry in _LISTED.replace("\n", ";").split(";"):
    _word, _, _said = _entry.strip().partition("=")
    if _word:
        FROM_HANGUL[_word] = [str(_one) for _one in _said.split(",")]
TAILS = {
    "비": ["cost", "expense", "fee"], "료": ["fee", "charge"], "액": ["amount"], "량": ["amount", "volume", "quantity"], "률": ["rate"],
    "율": ["rate"], "수": ["count", "number"], "일": ["date"], "월": ["month"],
}  # fmt: skip
"""Syllables that Korean names end in, and what they mean behind a word."""
