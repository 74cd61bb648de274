// Written by the test `golden_frames` of the server; do not edit.
import type { ClientFrame, ServerFrame } from "../protocol";

export const serverFrames = [
  {"type":"waiting","sessionId":"0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e90","token":"mZ3","sittingId":"0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e92","sitting":"Finals","grade":5,"mode":"standard","stages":1,"name":"Ada","room":null,"seat":"14","minutes":75.0,"givenMs":4500000,"start":"clock","startsAt":"2026-01-05T09:30:00.000Z","beginsAt":"2026-01-05T09:30:00.000Z","serverTime":"2026-01-05T09:00:00.000Z","ready":false,"sealed":[]},
  {"type":"begin","startedAt":"2026-01-05T09:30:00.000Z","keys":{"1":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}},
  {"type":"error","code":"not_open","error":"The doors have not opened yet","doorsAt":"2026-01-05T09:00:00.000Z"},
  {"type":"started","sessionId":"0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e90","token":"mZ3","grade":5,"mode":"standard","stage":1,"stages":1,"questionIds":["g5-001","g5-002"],"durationMinutes":30,"startedAt":"2026-01-05T09:00:00.000Z","deadline":"2026-01-05T09:30:00.000Z","serverTime":"2026-01-05T09:00:00.000Z","remainingMs":1800000,"seq":3},
  {"type":"resumed","sessionId":"0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e90","token":"mZ3","grade":5,"mode":"standard","stage":1,"stages":1,"questionIds":["g5-001","g5-002"],"durationMinutes":30,"startedAt":"2026-01-05T09:00:00.000Z","deadline":"2026-01-05T09:30:00.000Z","serverTime":"2026-01-05T09:05:00.000Z","remainingMs":1500000,"seq":3,"answers":[{"questionId":"g5-001","selected":"B","marked":true,"visited":false,"timeTaken":41,"seq":2},{"questionId":"g5-002","selected":null,"marked":false,"visited":true,"seq":3}],"drawings":{"g5-001":{"v":1,"size":[1100,640],"items":[]}},"band":null,"state":"active"},
  {"type":"resumed","sessionId":"0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e90","token":"mZ3","grade":5,"mode":"adaptive","stage":2,"stages":2,"questionIds":["g5-001","g5-002"],"durationMinutes":30,"startedAt":"2026-01-05T09:00:00.000Z","deadline":"2026-01-05T09:30:00.000Z","serverTime":"2026-01-05T09:31:00.000Z","remainingMs":0,"seq":0,"answers":[],"drawings":{},"band":"below-60","state":"submitted","reportUrl":"https://exam.example/report/0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e90","reason":"deadline"},
  {"type":"saved","seq":3},
  {"type":"stage","seq":5,"stage":2,"band":"below-60","questionIds":["g5-001","g5-002"]},
  {"type":"submitted","seq":6,"sessionId":"0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e90","reportUrl":"https://exam.example/report/0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e90","reason":"student","result":{"score":500}},
  {"type":"submitted","sessionId":"0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e90","reportUrl":"https://exam.example/report/0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e90","reason":"deadline","result":{"score":500}},
  {"type":"time","t":1,"serverTime":"2026-01-05T09:01:00.000Z","remainingMs":1740000,"deadline":"2026-01-05T09:30:00.000Z"},
  {"type":"time","serverTime":"2026-01-05T09:01:00.000Z","remainingMs":1740000,"deadline":"2026-01-05T09:30:00.000Z"},
  {"type":"alert","remainingMs":300000},
  {"type":"paused"},
  {"type":"unpaused","deadline":"2026-01-05T09:30:00.000Z","remainingMs":1680000},
  {"type":"extended","deadline":"2026-01-05T09:30:00.000Z","remainingMs":1680000,"minutes":10},
  {"type":"notice","text":"Ten minutes more for all","from":"ada@school.example"},
  {"type":"superseded"},
  {"type":"restarting"},
  {"type":"error","code":"unknown_question","error":"The question is not on the paper","seq":7},
  {"type":"error","code":"storage_unavailable","error":"The server cannot save at the moment; it keeps trying"},
] satisfies ServerFrame[];

export const clientFrames = [
  {"type":"start","grade":5,"mode":"standard","durationMinutes":30,"questionCount":20,"key":"k3v9x0d2m7q1w8e5","annotations":{"studentId":"s-17"},"webhookUrl":"https://lms.example/hook","baseUrl":"https://exam.example"},
  {"type":"start","templateId":"0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e91","key":"k3v9x0d2m7q1w8e5"},
  {"type":"resume","sessionId":"0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e90","token":"mZ3"},
  {"type":"answer","seq":1,"questionId":"g5-001","selected":"B","timeTaken":41},
  {"type":"mark","seq":2,"questionId":"g5-001","marked":true},
  {"type":"visit","seq":3,"questionId":"g5-002"},
  {"type":"drawing","seq":4,"questionId":"g5-001","drawing":{"v":1,"size":[1100,640],"items":[]}},
  {"type":"enter","code":"K7PQ2","access":"9F3K-TT2M","key":"0123456789abcdef","baseUrl":"https://exam.example"},
  {"type":"enter","sittingId":"0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e91","key":"0123456789abcdef"},
  {"type":"ready","seq":1,"sha256":"419c39115914aec9647e2037b69fb85f99432e0ff92dfb8d8066f02b3f6fe770"},
  {"type":"next","seq":5},
  {"type":"submit","seq":6},
  {"type":"sync","t":1},
  {"type":"focus","away":true},
] satisfies ClientFrame[];
