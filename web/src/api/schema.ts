// Written by tests/clients from the documents of the server; do not edit.

export interface paths {
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The keys */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonWebKeys"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/accommodations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The register */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AccommodationViews"];
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: {
                    /** @description `all`, or the ids of candidates of open sittings who get it too, with commas between them */
                    apply?: string;
                    /** @description Tell what the list would do, and write nothing */
                    dryRun?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AccommodationBody"];
                    "multipart/form-data": {
                        /**
                         * Format: binary
                         * @description A table with commas, semicolons or tabs, or an xlsx or ods workbook; 20 MiB at most.
                         */
                        file: string;
                    };
                };
            };
            responses: {
                /** @description What was done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AccommodationReport"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/accommodations/{email}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description E-mail address, URL-encoded */
                    email: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The accommodation */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OneAccommodation"];
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: {
                    /** @description `all`, or the ids of candidates of open sittings who get it too, with commas between them */
                    apply?: string;
                };
                header?: never;
                path: {
                    /** @description E-mail address, URL-encoded */
                    email: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AccommodationFields"];
                };
            };
            responses: {
                /** @description The accommodation, and whom the change concerns */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ChangedAccommodation"];
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: {
                    /** @description `all`, or the ids of candidates of open sittings who lose it too, with commas between them */
                    apply?: string;
                };
                header?: never;
                path: {
                    /** @description E-mail address, URL-encoded */
                    email: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed, and whom that concerns */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ChangedAccommodation"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description Only this action */
                    action?: string;
                    /** @description Only what this address has done */
                    actor?: string;
                    /** @description From then on: ISO 8601, or a day in the school's time zone */
                    from?: string;
                    /** @description From 1 */
                    page?: number;
                    /** @description Before then: ISO 8601, or a day in the school's time zone, which is included */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of 50 */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AuditPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description Only this action */
                    action?: string;
                    /** @description Only what this address has done */
                    actor?: string;
                    /** @description `csv`, which is the default, or `xlsx` */
                    format?: string;
                    /** @description From then on: ISO 8601, or a day in the school's time zone */
                    from?: string;
                    /** @description Before then: ISO 8601, or a day in the school's time zone, which is included */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The table */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/classes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description By grade and name */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClassList"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewClass"];
                };
            };
            responses: {
                /** @description The class */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OneClass"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/classes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Class id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The class */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClassWithPeople"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The version to remove, in quotes */
                    "If-Match"?: string | null;
                };
                path: {
                    /** @description Class id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The version to change, in quotes */
                    "If-Match"?: string | null;
                };
                path: {
                    /** @description Class id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ClassFields"];
                };
            };
            responses: {
                /** @description The class */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OneClass"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/admin/classes/{id}/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: {
                    /** @description With files of OneRoster: only those who are enrolled in this class */
                    class?: string;
                    /** @description Tell what the list would do, and write nothing */
                    dryRun?: boolean;
                };
                header?: {
                    /** @description The version to change, in quotes */
                    "If-Match"?: string | null;
                };
                path: {
                    /** @description Class id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ClassPeopleBody"];
                    "multipart/form-data": {
                        /**
                         * Format: binary
                         * @description The enrolments of OneRoster.
                         */
                        enrollments?: string | null;
                        /**
                         * Format: binary
                         * @description A table of people, or of users.
                         */
                        file: string;
                    };
                };
            };
            responses: {
                /** @description What was done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RosterReport"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    /** @description `xlsx`, which is also the default, `moodle-xml`, `gift` or `qti3` */
                    format?: string;
                    /** @description 1 to 10, or `all` */
                    grade: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The file, named `questions-grade<N>.xlsx`, `.xml`, `.gift.txt` or `.zip`; of the type of its format */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The state as this server sees it */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ServiceHealth"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    /** @description Like the field of the form */
                    difficulty?: string;
                    /** @description Tell what the import would do, and write nothing */
                    dryRun?: boolean;
                    /** @description Like the field of the form */
                    grade?: string;
                    /** @description Like the field of the form */
                    practice?: string;
                    /** @description With `dryRun`: also show the first questions as they would be */
                    preview?: boolean;
                    /** @description Like the field of the form */
                    topic?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": {
                        /** @description The difficulty of such questions, 1 to 5. */
                        difficulty?: string | null;
                        /**
                         * Format: binary
                         * @description An xlsx or ods workbook, a text with commas, semicolons or tabs, Moodle XML, GIFT, Aiken, or QTI as an item or a
                         *     package; 20 MiB at most.
                         */
                        file: string;
                        /** @description The grade of questions that do not say it themselves, 1 to 10. Workbooks always do. */
                        grade?: string | null;
                        /** @description `true` or `false`: whether anyone may read new questions with their keys whose rows do not say it. */
                        practice?: string | null;
                        /** @description The topic of such questions. */
                        topic?: string | null;
                    };
                };
            };
            responses: {
                /** @description What was done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ImportReport"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    /** @description 1 to 10 */
                    grade: number;
                    /** @description `live`, also without it, `client` or `all` */
                    origin?: "live" | "client" | "all";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Reliability of the tests, figures of each question */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GradeItems"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/lti/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description Only those of this platform */
                    platformId?: string;
                    /** @description Only those to this sitting, with whom they cannot grade */
                    sittingId?: string;
                    /** @description Only those to this template */
                    templateId?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The newest first, 5,000 at most */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CourseLinkList"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/lti/links/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Link id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/lti/platforms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The newest first */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlatformList"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewPlatform"];
                };
            };
            responses: {
                /** @description The platform */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OnePlatform"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/lti/platforms/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Platform id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The platform */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OnePlatform"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Platform id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Platform id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PlatformChange"];
                };
            };
            responses: {
                /** @description The platform */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OnePlatform"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/admin/lti/platforms/{id}/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Platform id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The newest first, 1,000 at most */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GrantList"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Platform id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewGrant"];
                };
            };
            responses: {
                /** @description Given, or had before */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        delete: {
            parameters: {
                query: {
                    /** @description The platform's name of the deployment */
                    deploymentId: string;
                    /** @description The sitting that is taken back: this or `templateId` */
                    sittingId?: string;
                    /** @description The template that is taken back */
                    templateId?: string;
                };
                header?: never;
                path: {
                    /** @description Platform id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Taken back */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/lti/platforms/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Platform id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What became of it */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConnectionReport"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/lti/scores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description From 1 */
                    page?: number;
                    /** @description Only those of this sitting */
                    sittingId?: string;
                    /** @description Only these */
                    status?: "pending" | "delivered" | "failed";
                    /** @description Only those of links to this template */
                    templateId?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of 50 */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ScorePage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/lti/scores/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Delivery id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Queued */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/lti/scores/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    /** @description Only those of this sitting */
                    sittingId?: string;
                    /** @description `failed`, as without it: no others are sent again at once */
                    status?: string;
                    /** @description Only those of links to this template */
                    templateId?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Queued, 5,000 tests at most */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResentScores"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/proctors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Reviewers, managers and admins, also those who are invited */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OfferedProctors"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    /** @description 1 to 10 */
                    grade: number;
                    /** @description The retired questions of the grade in place of its bank */
                    retired?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The questions, in the order of their ids; retired ones newest first */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ListedQuestion"][];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewQuestion"];
                };
            };
            responses: {
                /** @description The question */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Question"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/questions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Question id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Retired */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/questions/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Question id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It is in the bank again */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/questions/{id}/secure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Question id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SecureChange"];
                };
            };
            responses: {
                /** @description Stored */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/questions/marks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MarkedQuestions"];
                };
            };
            responses: {
                /** @description Stored */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/questions/sample-bank": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Their number, by the language in which they stand */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SampleCounts"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SampleLanguage"];
                };
            };
            responses: {
                /** @description What was done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SamplesChanged"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/questions/secure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    /** @description 1 to 10 */
                    grade: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Their ids */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SecureQuestions"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description The event that the sessions' `annotations` name as `event` */
                    event?: number;
                    /** @description `csv`, also without it, or `xlsx` */
                    format?: "csv" | "xlsx";
                    /**
                     * @description Sessions that ended then or later: ISO 8601, or a day in the school's time zone
                     * @example 2026-01-05T09:00:00Z
                     */
                    from?: string;
                    /** @description 1 to 10 */
                    grade?: number;
                    /** @description `live`, also without it, `client` or `all` */
                    origin?: "live" | "client" | "all";
                    /** @description Part of the student's name, of their `studentId` or of their account; capitals and accents do not count */
                    q?: string;
                    /** @description The template that live exams were started from */
                    template?: string;
                    /**
                     * @description Sessions that ended before then: ISO 8601, or a day in the school's time zone, which is included
                     * @example 2026-01-05
                     */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The table, named `results`, the day, and `.csv` or `.xlsx` */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                        "text/csv": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/review/assignments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Reviewers' assignments, and all users */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssignmentList"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Assign"];
                };
            };
            responses: {
                /** @description Assigned */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/review/assignments/{email}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description URL-encoded */
                    email: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed, or there was none */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/review/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description 1 to 10; all grades when it is absent */
                    grade?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All edits */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EditLog"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/review/managers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Managers' assignments, and all users */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssignmentList"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Assign"];
                };
            };
            responses: {
                /** @description Assigned */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/review/managers/{email}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description URL-encoded */
                    email: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed, or there was none */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/review/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All grades */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Progress"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/school": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The settings */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SchoolSettingsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The revision that the change is meant for */
                    "If-Match"?: string | null;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SchoolChange"];
                };
            };
            responses: {
                /** @description The settings */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SchoolSettingsView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/admin/school/crest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            /** @description PNG, JPEG or WebP, 256 KiB at most */
            requestBody: {
                content: {
                    "image/png": string;
                };
            };
            responses: {
                /** @description The settings */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description `#rrggbb`: white text on it has a contrast of 4.5 at least. */
                            colour: string;
                            /** @description The address of the crest; empty if there is none. */
                            crest: string;
                            /** @description What pages offer, the default first. */
                            languages: components["schemas"]["PageLanguage"][];
                            /** @description Empty if none was given. */
                            name: string;
                            /** @description A name of the IANA database; empty if none was chosen. */
                            timeZone: string;
                        };
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The settings; there may have been none */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description `#rrggbb`: white text on it has a contrast of 4.5 at least. */
                            colour: string;
                            /** @description The address of the crest; empty if there is none. */
                            crest: string;
                            /** @description What pages offer, the default first. */
                            languages: components["schemas"]["PageLanguage"][];
                            /** @description Empty if none was given. */
                            name: string;
                            /** @description A name of the IANA database; empty if none was chosen. */
                            timeZone: string;
                        };
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sittings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The 2,000 that start last */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SittingList"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewSitting"];
                };
            };
            responses: {
                /** @description The sitting */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OneSitting"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sittings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The sitting */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OneSitting"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The version to remove, in quotes */
                    "If-Match"?: string | null;
                };
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The version to change, in quotes */
                    "If-Match"?: string | null;
                };
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SittingChange"];
                };
            };
            responses: {
                /** @description The sitting */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OneSitting"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/admin/sittings/{id}/again": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["SittingAgain"] | null;
                };
            };
            responses: {
                /** @description The new sitting */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OneSitting"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sittings/{id}/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The version to begin, in quotes */
                    "If-Match"?: string | null;
                };
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The sitting with its `begunAt` */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OneSitting"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sittings/{id}/candidates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All candidates */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SittingCandidates"];
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: {
                    /** @description With files of OneRoster: only those who are enrolled in this class */
                    class?: string;
                    /** @description Tell what the import would do, and write nothing */
                    dryRun?: boolean;
                };
                header?: {
                    /** @description The version to change, in quotes */
                    "If-Match"?: string | null;
                };
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RosterBody"];
                    "multipart/form-data": {
                        /**
                         * Format: binary
                         * @description The enrolments of OneRoster.
                         */
                        enrollments?: string | null;
                        /**
                         * Format: binary
                         * @description A table of people, or of users.
                         */
                        file: string;
                    };
                };
            };
            responses: {
                /** @description What was done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RosterReport"];
                    };
                };
            };
        };
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CandidateFields"];
                };
            };
            responses: {
                /** @description The candidate */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OneCandidate"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sittings/{id}/candidates/{candidateId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The version of the sitting to change, in quotes */
                    "If-Match"?: string | null;
                };
                path: {
                    /** @description Candidate id */
                    candidateId: string;
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The version of the sitting to change, in quotes */
                    "If-Match"?: string | null;
                };
                path: {
                    /** @description Candidate id */
                    candidateId: string;
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CandidateFields"];
                };
            };
            responses: {
                /** @description The candidate */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OneCandidate"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/admin/sittings/{id}/candidates/{candidateId}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Candidate id */
                    candidateId: string;
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The values */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Explanation"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sittings/{id}/candidates/{candidateId}/lti": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The version of the sitting to change, in quotes */
                    "If-Match"?: string | null;
                };
                path: {
                    /** @description Candidate id */
                    candidateId: string;
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CandidateJoin"];
                };
            };
            responses: {
                /** @description Joined, or let go */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sittings/{id}/candidates/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The version to change, in quotes */
                    "If-Match"?: string | null;
                };
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What was taken back */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UndoneRoster"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sittings/{id}/classes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    /** @description Tell who would come, and write nothing */
                    dryRun?: boolean;
                };
                header?: {
                    /** @description The version of the sitting to change, in quotes */
                    "If-Match"?: string | null;
                };
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["JoiningClasses"];
                };
            };
            responses: {
                /** @description What was done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RosterReport"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sittings/{id}/incidents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The incident report */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SittingIncidents"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sittings/{id}/incidents.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The table */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sittings/{id}/kit.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    /** @description Instead of the school's first language */
                    language?: "en" | "vi";
                    /** @description `a4`, which holds if it is left out, or `letter` */
                    paper?: string;
                    /** @description Any of `door`, `plan`, `list` and `slips`, with commas between them; all if it is left out */
                    parts?: string;
                    /** @description Make new codes for all who have not entered; the old ones are no longer valid */
                    renew?: boolean;
                    /** @description The name of a room: only its part */
                    room?: string;
                };
                header?: never;
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The kit */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": string;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sittings/{id}/lti/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description By name, 1,000 at most */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UnjoinedPeople"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sittings/{id}/make-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["MakeUp"] | null;
                };
            };
            responses: {
                /** @description The new sitting */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OneSitting"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sittings/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    /** @description Tell how many finished tests it would reach, and release nothing */
                    dryRun?: boolean;
                    /** @description Shut out candidates who begin later, release a paper that another sitting needs, and results that still follow a corrected key */
                    force?: boolean;
                };
                header?: never;
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The sitting, and how many finished tests the release reaches */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReleasedSitting"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sittings/{id}/reports.zip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description Instead of the school's first language */
                    language?: "en" | "vi";
                    /** @description The name of a room: only those who sit there */
                    room?: string;
                };
                header?: never;
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The archive, sent while it is made; empty before anybody has handed in */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/zip": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sittings/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A row for each candidate */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SittingResults"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sittings/{id}/results.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The table */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sittings/{id}/results.xlsx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The table */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sittings/{id}/roster/lti": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    /** @description Tell what it would do, and write nothing */
                    dryRun?: boolean;
                };
                header?: {
                    /** @description The version of the sitting to change, in quotes */
                    "If-Match"?: string | null;
                };
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CourseRoster"];
                };
            };
            responses: {
                /** @description What was done, or would be */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CourseReport"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sittings/{id}/slips.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description Only the slip of this candidate */
                    candidateId?: string;
                    /** @description The first slip of the file, which then has 1,000 at most */
                    from?: number;
                    /** @description Instead of the school's first language */
                    language?: "en" | "vi";
                    /** @description Refused in any case: `POST` makes new codes */
                    renew?: boolean;
                    /** @description The name of a room: only those who sit there */
                    room?: string;
                };
                header?: never;
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The slips */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": string;
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: {
                    /** @description Only the slip of this candidate, who may have entered */
                    candidateId?: string;
                    /** @description The first slip of the file, which then has 1,000 at most */
                    from?: number;
                    /** @description Instead of the school's first language */
                    language?: "en" | "vi";
                    /** @description Make new codes for all who have not entered, or for the one candidate who is asked for; the old ones are no longer valid */
                    renew?: boolean;
                    /** @description The name of a room: only those who sit there */
                    room?: string;
                };
                header?: never;
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The slips */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": string;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description As it is stored */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StatusSettings"];
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PutStatus"];
                };
            };
            responses: {
                /** @description As it is stored */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StatusSettings"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/test-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The 1,000 that were changed last */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TemplateList"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TemplateConfig"];
                };
            };
            responses: {
                /** @description The template, and how many questions were missing */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GeneratedTemplate"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/test-templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Template id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The template */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OneTemplate"];
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: {
                    /** @description Change it while the doors of a sitting are open, which gets a new paper */
                    force?: boolean;
                };
                header?: never;
                path: {
                    /** @description Template id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TemplateChange"];
                };
            };
            responses: {
                /** @description The template */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OneTemplate"];
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Template id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/test-templates/{id}/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    /** @description Change it while the doors of a sitting are open, which gets a new paper */
                    force?: boolean;
                };
                header?: never;
                path: {
                    /** @description Template id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The template, and how many questions were missing */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GeneratedTemplate"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/test-templates/{id}/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: {
                    /** @description Change it while the doors of a sitting are open, which gets a new paper */
                    force?: boolean;
                };
                header?: never;
                path: {
                    /** @description Template id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ListByHand"];
                };
            };
            responses: {
                /** @description The template */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OneTemplate"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/test-templates/{id}/swap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    /** @description Of `session2` */
                    band?: components["schemas"]["Band"];
                    /** @description The list that the question is in */
                    bucket: "standard" | "session1" | "session2";
                    /** @description The question that is to go */
                    questionId: string;
                };
                header?: never;
                path: {
                    /** @description Template id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Of the same difficulty, with `topicTargets` also of the same topic, and of what the template chooses; in no particular order */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Candidates"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: {
                    /** @description Change it while the doors of a sitting are open, which gets a new paper */
                    force?: boolean;
                };
                header?: never;
                path: {
                    /** @description Template id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SwapBody"];
                };
            };
            responses: {
                /** @description The template, and the question that has come */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SwappedTemplate"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All tokens, without their secrets */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TokensView"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewToken"];
                };
            };
            responses: {
                /** @description The token, shown this once */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Made"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Token id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Revoked */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All users */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{email}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description E-mail address, URL-encoded */
                    email: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvitedUser"];
                };
            };
            responses: {
                /** @description The user, whose `lastLogin` is null */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description E-mail address, URL-encoded */
                    email: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description E-mail address, URL-encoded */
                    email: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChangeUser"];
                };
            };
            responses: {
                /** @description The user */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/admin/users/{email}/sign-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description E-mail address, URL-encoded */
                    email: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Their sign-ins */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignInsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description E-mail address, URL-encoded */
                    email: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Signed out, or was not signed in */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{email}/sign-ins/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description E-mail address, URL-encoded */
                    email: string;
                    /** @description From the list */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Ended */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description From 1 */
                    page?: number;
                    /** @description Only these */
                    status?: "pending" | "delivered" | "failed";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of 50 */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeliveryPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Delivery id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Queued */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The key */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["KeyView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TestEventRequest"];
                };
            };
            responses: {
                /** @description What became of it */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TestEventReport"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/asyncapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The document */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: {
                    /** @description `examhall.live.v1` */
                    "Sec-WebSocket-Protocol"?: string | null;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: never;
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StartOrEnter"];
                };
            };
            responses: {
                /** @description `started`, `waiting`, or `resumed` */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Begun"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description The line that the device has, 0 for none: it keeps it unless another device has come since */
                    line?: number;
                    /** @description With `wait=time`: the version that the client knows */
                    timeVersion?: number;
                    /** @description `begin`: answer when the exam begins; `time`: when its time changes; `reopening`: when it goes on after its end */
                    wait?: string;
                };
                header?: never;
                path: {
                    /** @description Session id */
                    sessionId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description `resumed`, or `waiting` */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ComeBack"];
                    };
                };
                /** @description With `wait=reopening`: the test has ended, and does not go on */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/{sessionId}/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Session id */
                    sessionId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Commands"];
                };
            };
            responses: {
                /** @description Committed */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PerformedView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/{sessionId}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Session id */
                    sessionId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description `receipt` */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Receipt"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/{sessionId}/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Session id */
                    sessionId: string;
                };
                cookie?: never;
            };
            /** @description Empty, or a proctor's code */
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MoveRequest"];
                };
            };
            responses: {
                /** @description The token */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FurtherTokenView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/candidates/{candidateId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Candidate id */
                    candidateId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The events */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EventsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/late-files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    /** @description The session for which it is handed in: a file of another one is refused */
                    sessionId?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            /** @description The file */
            requestBody: {
                content: {
                    "application/json": string;
                };
            };
            responses: {
                /** @description Taken */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TakenLateFile"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/mine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The attempts */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OwnAttemptsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            /** @description A proctor's code */
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MoveRequest"];
                };
            };
            responses: {
                /** @description The session and its token */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MovedView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/proctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: {
                    /** @description `examhall.live.v1` */
                    "Sec-WebSocket-Protocol"?: string | null;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: never;
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/rooms/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    /** @description 1 to 10; or `templateId`, or `sittingId` */
                    grade?: number;
                    /** @description With `sittingId`: the name of one of its rooms */
                    room?: string;
                    /** @description Id of a sitting */
                    sittingId?: string;
                    /** @description Id of a template */
                    templateId?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RoomOrderRequest"];
                };
            };
            responses: {
                /** @description The order is stored; students get it within a second */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OrderedView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description 1 to 10; or `templateId`, or `sittingId` */
                    grade?: number;
                    /** @description With `sittingId`: the name of one of its rooms */
                    room?: string;
                    /** @description Id of a sitting */
                    sittingId?: string;
                    /** @description Id of a template */
                    templateId?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The sessions */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SessionsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/sessions/{id}/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Session id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The code */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MadeCode"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/sessions/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Session id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The events */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EventsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/sessions/{id}/late": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Session id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What came late */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LateWork"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The version of the session that is meant, in quotes */
                    "If-Match"?: string | null;
                };
                path: {
                    /** @description Session id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DecideLateWork"];
                };
            };
            responses: {
                /** @description Decided, and graded again */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DecidedLateWork"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/sessions/{id}/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Session id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OrderRequest"];
                };
            };
            responses: {
                /** @description The order is stored; the student gets it within a second */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OrderedView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manager/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Decisions */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Approvals"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Decide"];
                };
            };
            responses: {
                /** @description Stored */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Decided"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manager/corrections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description Of this grade */
                    grade?: number;
                    /** @description Of this sitting, and of its template */
                    sittingId?: string;
                    /** @description Of this template */
                    templateId?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The newest 500 at most */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CorrectionList"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: {
                    /** @description Tell what the correction would do, and store nothing */
                    dryRun?: boolean;
                };
                header?: {
                    /** @description The version that the dry run gave: no correction of the question has been made or reverted since */
                    "If-Match"?: string | null;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CorrectKey"];
                };
            };
            responses: {
                /** @description The correction; with `dryRun` what it would do */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CorrectionAnswer"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manager/corrections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The version of the correction that is meant */
                    "If-Match"?: string | null;
                };
                path: {
                    /** @description Correction id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The correction, reverted */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["KeyCorrection"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manager/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /**
                     * @description Of a template or a grade, tests that ended then or later: ISO 8601, or a day in the school's time zone
                     * @example 2026-01-05T09:00:00Z
                     */
                    from?: string;
                    /** @description The grade whose results are asked for */
                    grade?: number;
                    /** @description The sitting whose results are asked for. Exactly one of the first three is given. */
                    sittingId?: string;
                    /** @description The template whose results are asked for */
                    templateId?: string;
                    /**
                     * @description Tests that ended before then: ISO 8601, or a day in the school's time zone, which is included
                     * @example 2026-01-05
                     */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Every question, and everyone with their answers */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StaffResults"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manager/results.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /**
                     * @description Of a template or a grade, tests that ended then or later: ISO 8601, or a day in the school's time zone
                     * @example 2026-01-05T09:00:00Z
                     */
                    from?: string;
                    /** @description The grade whose results are asked for */
                    grade?: number;
                    /** @description The sitting whose results are asked for. Exactly one of the first three is given. */
                    sittingId?: string;
                    /** @description The template whose results are asked for */
                    templateId?: string;
                    /**
                     * @description Tests that ended before then: ISO 8601, or a day in the school's time zone, which is included
                     * @example 2026-01-05
                     */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The table */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manager/results.xlsx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /**
                     * @description Of a template or a grade, tests that ended then or later: ISO 8601, or a day in the school's time zone
                     * @example 2026-01-05T09:00:00Z
                     */
                    from?: string;
                    /** @description The grade whose results are asked for */
                    grade?: number;
                    /** @description The sitting whose results are asked for. Exactly one of the first three is given. */
                    sittingId?: string;
                    /** @description The template whose results are asked for */
                    templateId?: string;
                    /**
                     * @description Tests that ended before then: ISO 8601, or a day in the school's time zone, which is included
                     * @example 2026-01-05
                     */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The table */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manager/results/figures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /**
                     * @description Of a template or a grade, tests that ended then or later: ISO 8601, or a day in the school's time zone
                     * @example 2026-01-05T09:00:00Z
                     */
                    from?: string;
                    /** @description The grade whose results are asked for */
                    grade?: number;
                    /** @description The sitting whose results are asked for. Exactly one of the first three is given. */
                    sittingId?: string;
                    /** @description The template whose results are asked for */
                    templateId?: string;
                    /**
                     * @description Tests that ended before then: ISO 8601, or a day in the school's time zone, which is included
                     * @example 2026-01-05
                     */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Figures of every question that was asked */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["KeyFigures"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manager/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description At most 2,000 sittings and 1,000 templates */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResultSources"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manager/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Managers see the grades that they are assigned to, admins all */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ManagerStats"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manager/test-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Those of all whose grades the caller is a manager, among the 1,000 that were changed last; all for admins */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TemplateList"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TemplateConfig"];
                };
            };
            responses: {
                /** @description The template, and how many questions were missing */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GeneratedTemplate"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manager/test-templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Template id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The template */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OneTemplate"];
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: {
                    /** @description Change it while the doors of a sitting are open, which gets a new paper */
                    force?: boolean;
                };
                header?: never;
                path: {
                    /** @description Template id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TemplateChange"];
                };
            };
            responses: {
                /** @description The template */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OneTemplate"];
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Template id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manager/test-templates/{id}/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    /** @description Change it while the doors of a sitting are open, which gets a new paper */
                    force?: boolean;
                };
                header?: never;
                path: {
                    /** @description Template id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The template, and how many questions were missing */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GeneratedTemplate"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manager/test-templates/{id}/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: {
                    /** @description Change it while the doors of a sitting are open, which gets a new paper */
                    force?: boolean;
                };
                header?: never;
                path: {
                    /** @description Template id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ListByHand"];
                };
            };
            responses: {
                /** @description The template */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OneTemplate"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manager/test-templates/{id}/swap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    /** @description Of `session2` */
                    band?: components["schemas"]["Band"];
                    /** @description The list that the question is in */
                    bucket: "standard" | "session1" | "session2";
                    /** @description The question that is to go */
                    questionId: string;
                };
                header?: never;
                path: {
                    /** @description Template id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Of the same difficulty, with `topicTargets` also of the same topic, and of what the template chooses; in no particular order */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Candidates"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: {
                    /** @description Change it while the doors of a sitting are open, which gets a new paper */
                    force?: boolean;
                };
                header?: never;
                path: {
                    /** @description Template id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SwapBody"];
                };
            };
            responses: {
                /** @description The template, and the question that has come */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SwappedTemplate"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description `true`: 204 instead of 401 for a caller who is not signed in */
                    guests?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Oneself */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MeView"];
                    };
                };
                /** @description Not signed in, and `guests=true` */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/sign-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description One's own sign-ins */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignInsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Ended */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/sign-ins/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description From the list */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Ended */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/view": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What is stored */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MyView"];
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PutMyView"];
                };
            };
            responses: {
                /** @description What is stored now */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MyView"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The document */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    /** @description 1 to 10 */
                    grade: number;
                    /** @description `multiple-choice` without it */
                    types?: "multiple-choice" | "number" | "all";
                };
                header?: {
                    /** @description The `ETag` of the version that the client has */
                    "If-None-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All questions of the grade and these types */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeliveredQuestion"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/report/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description Instead of the school's first language */
                    language?: "en" | "vi";
                    /** @description Another version than the newest, for staff of the grade */
                    version?: number;
                };
                header?: never;
                path: {
                    /** @description Session id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The report */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/report/{id}/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Session id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The questions */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReportQuestions"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/review/edit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    /** @description 1 to 10 */
                    grade: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All edits of the grade */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EditLog"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EditQuestion"];
                };
            };
            responses: {
                /** @description Edited */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Edited"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/review/pictures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            /** @description PNG, JPEG, WebP or SVG, 8 MiB at most */
            requestBody: {
                content: {
                    "image/png": string;
                };
            };
            responses: {
                /** @description Stored */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UploadedPicture"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/review/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    /** @description 1 to 10 */
                    grade: number;
                    /** @description Only this question, if the grade has it */
                    questionId?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Questions and reviews */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["QuestionsWithReviews"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewQuestion"];
                };
            };
            responses: {
                /** @description The question */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Question"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/review/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubmitReview"];
                };
            };
            responses: {
                /** @description Stored */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/school": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The `ETag` of the version that the client has */
                    "If-None-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The settings */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SchoolView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/school/crest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description The revision, which makes the address of a new crest new */
                    v?: number;
                };
                header?: {
                    /** @description The `ETag` of the version that the client has */
                    "If-None-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The picture */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/png": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description The event that the sessions' `annotations` name as `event` */
                    event?: number;
                    /**
                     * @description Sessions that ended then or later: ISO 8601, or a day in the school's time zone
                     * @example 2026-01-05T09:00:00Z
                     */
                    from?: string;
                    /** @description 1 to 10 */
                    grade?: number;
                    /** @description `live`, `client` or `all`; with `event`, `live` without it */
                    origin?: "live" | "client" | "all";
                    /** @description From 1 */
                    page?: number;
                    /** @description 1 to 500; 50 without it */
                    perPage?: number;
                    /** @description Part of the student's name, of their `studentId` or of their account; capitals and accents do not count */
                    q?: string;
                    /** @description The template that live exams were started from */
                    template?: string;
                    /**
                     * @description Sessions that ended before then: ISO 8601, or a day in the school's time zone, which is included
                     * @example 2026-01-05
                     */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The sessions: an array, or a page of them */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SessionList"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Visible ASCII characters, made by the caller at random */
                    "Idempotency-Key"?: string | null;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreateSession"];
                };
            };
            responses: {
                /** @description Stored, now or by an earlier request with this key */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Created"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description `1` for the webhook's payload */
                    payload?: "1";
                    /** @description Another version than the newest */
                    version?: number;
                    /** @description `release` to wait until the result may be seen */
                    wait?: "release";
                };
                header?: never;
                path: {
                    /** @description Session id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The session */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Session"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description Another version than the newest */
                    version?: number;
                };
                header?: never;
                path: {
                    /** @description Session id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The receipt */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/jwt": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/receipt.tlog-proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description Another version than the newest */
                    version?: number;
                };
                header?: never;
                path: {
                    /** @description Session id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The proof */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Session id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The versions */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SessionVersions"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sittings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Own sittings, past and coming */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OwnSittings"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sittings/{id}/calendar.ics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A calendar file */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/calendar": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sittings/{id}/candidates/{candidateId}/access-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Candidate id */
                    candidateId: string;
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The code */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MadeAccessCode"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sittings/{id}/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The checkpoint */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sittings/{id}/incidents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description The name of a room, which its proctors must give */
                    room?: string;
                };
                header?: never;
                path: {
                    /** @description Sitting id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The incidents */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SittingIncidents"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sittings/{id}/paper/{part}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description In the clear, with the session's token */
                    open?: string;
                    /** @description Which paper, from the part's `url` */
                    v?: string;
                };
                header?: never;
                path: {
                    /** @description Sitting id */
                    id: string;
                    /** @description `1`, of other forms `1-B` and so on, or a band such as `80-90` */
                    part: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The sealed part, or its questions as JSON */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": string;
                        "application/octet-stream": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sittings/proctored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Their rooms */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProctoredSittings"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The message, whose texts are empty if nothing is said */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PageStatus"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/test-templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description The attempt whose token is sent */
                    sessionId?: string;
                };
                header?: {
                    /** @description The `ETag` of the version that the client has */
                    "If-None-Match"?: string;
                };
                path: {
                    /** @description Template id */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The template */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RunnerTemplate_Question"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description From the provider */
                    code?: string;
                    /** @description As it was sent to the provider */
                    state?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: never;
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/local": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/x-www-form-urlencoded": components["schemas"]["LocalForm"];
                };
            };
            responses: never;
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description Path of this site to come back to; `/` when it is anything else */
                    return_to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The development sign-in */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/html": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    /** @description `true` to end the sign-ins on all devices */
                    everywhere?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Signed out */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It lives */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Liveness"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/lti/jwks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The keys */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RsaJsonWebKeys"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/{digest}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The `ETag` of the version that the client has */
                    "If-None-Match"?: string;
                };
                path: {
                    /** @description SHA-256 of the picture, in hexadecimal */
                    digest: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The picture */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/png": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OpenMetrics text */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/openmetrics-text": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Ready */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Readiness"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description What a person needs in every exam. */
        Accommodation: {
            email: string;
            /** Format: int32 */
            extraMinutes: number | null;
            /**
             * Format: int32
             * @description In percent.
             */
            factor: number | null;
            flags: string[];
            note: string | null;
            /**
             * Format: date-time
             * @description The last moment of a sitting's start for which it holds.
             */
            validUntil: string | null;
        };
        /** @description A register as JSON. */
        AccommodationBody: {
            accommodations: components["schemas"]["AccommodationFields"][];
        };
        /**
         * @description The fields to change. The others stay, and null takes a value away.
         * @example {
         *       "email": "ada@exam.example",
         *       "factor": 125,
         *       "flags": [
         *         "large print"
         *       ],
         *       "validUntil": "2027-07-31"
         *     }
         */
        AccommodationFields: {
            /** @description Only in a list. */
            email?: string | null;
            /** Format: int32 */
            extraMinutes?: number | null;
            /**
             * Format: int32
             * @description A whole percentage.
             */
            factor?: number | null;
            flags?: string[] | null;
            note?: string | null;
            /** @description A time, or a day in the school's time zone, which is included. */
            validUntil?: string | null;
        };
        /** @description What a list has changed, or would change. */
        AccommodationReport: {
            /** @description Number of people who had none. */
            added: number;
            /** @description Candidates with open doors whom the list concerns. */
            concerns: components["schemas"]["ConcernedCandidate"][];
            /** @description A sentence for each row that was not taken, beginning with `Row <n>:`. */
            errors: string[];
            /**
             * Format: int32
             * @description How many rows the sheet hides, which are read like others. Left out if there are none.
             */
            hiddenRows?: number;
            /** @description Headings of columns that were passed over. Left out if there are none. */
            ignoredColumns?: string[];
            /** @description `windows-1252` for a text that does not say its encoding and was read as that one; otherwise left out. */
            readAs?: string;
            /** @description Number of people who had one. */
            updated: number;
        };
        /** @description `{ accommodations, timeZone }`, by address. */
        AccommodationViews: {
            accommodations: components["schemas"]["Accommodation"][];
            /** @description The school's, in which a day ends. */
            timeZone: string;
        };
        /** @description Comes once when 10 minutes are left, in tests of more than 30 minutes, and once when 5 are left. */
        Alert: {
            /** Format: int64 */
            remainingMs: number;
            /** @enum {string} */
            type: "alert";
        };
        /** @description Chooses an option or gives a number, or clears the answer. */
        Answer: {
            /**
             * Format: date-time
             * @description When the student acted by the server's clock, as the client estimates it: shown of what comes too late.
             */
            at?: string;
            /**
             * Format: int32
             * @description Of the device, as `started`, `resumed`, `waiting` or its token gave it when the student acted; 0 without it.
             */
            line?: number;
            questionId: string;
            /**
             * @description `A` to `D`; of a question of type `number` what was typed, 1 to 32 characters, whether it is a number or not.
             *     Null clears the answer.
             */
            selected: string | null;
            /**
             * Format: int64
             * @description 1, 2, 3 … in the order of the student's actions; never used again for another action.
             */
            seq: number;
            /**
             * Format: int32
             * @description Whole seconds on this question so far.
             */
            timeTaken?: number | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "answer";
        };
        /** @description The result of one question. */
        AnswerLine: {
            /** @description Options or numbers that a correction has made right too; absent when there are none. */
            alsoCorrect?: string[];
            /** @description The right option, `A` to `D`, or the right number. */
            correct: string;
            /** @description What a correction of the key has made of the question; absent when there is none. */
            correction?: components["schemas"]["CorrectionKind"];
            /** @description Whether the answer counts as right. */
            isCorrect: boolean;
            /** @description Identifier of the question. */
            questionId: string;
            /** @description `A` to `D`, or the number as it was typed; empty when not answered. */
            selected: string;
            /**
             * Format: int32
             * @description Whole seconds on this question; absent when not known.
             */
            timeTaken?: number | null;
        };
        /** @description A manager's decision on a grade. */
        Approval: components["schemas"]["DecisionCounts"] & {
            /** @description A comment; absent when there is none. */
            comment?: string;
            /**
             * Format: date-time
             * @description When it was decided; ISO 8601.
             */
            decidedAt: string;
            /**
             * Format: int32
             * @description 1 to 10.
             */
            grade: number;
            /** @description The manager's e-mail, in lower case. */
            managerEmail: string;
            /** @description The manager's name at that time. */
            managerName: string;
            /** @description The decision. */
            status: components["schemas"]["ApprovalStatus"];
        };
        /** @description Decisions on grades, newest first. */
        Approvals: {
            approvals: components["schemas"]["Approval"][];
        };
        /**
         * @description A manager's decision on a grade.
         * @enum {string}
         */
        ApprovalStatus: "approved" | "revision_requested";
        /** @description The body of an assignment. */
        Assign: {
            /** @description Compared without regard to case. */
            email: string;
            grades: components["schemas"]["Grade"][];
            name: string;
        };
        /** @description A reviewer who is assigned to a grade. */
        AssignedReviewer: {
            /** @description In lower case. */
            email: string;
            /** @description The name as shown. */
            name: string;
        };
        /** @description The grades assigned to a reviewer or manager. */
        Assignment: {
            /**
             * Format: date-time
             * @description When they were assigned; ISO 8601.
             */
            assignedAt: string;
            /** @description E-mail of the admin who assigned them. */
            assignedBy: string;
            /** @description The e-mail address, in lower case. */
            email: string;
            /** @description At least one grade. */
            grades: components["schemas"]["Grade"][];
            /** @description The name as shown. */
            name: string;
        };
        /** @description Assignments and the users to choose from, both ordered by e-mail address. */
        AssignmentList: {
            assignments: components["schemas"]["Assignment"][];
            users: components["schemas"]["User"][];
        };
        /**
         * @description What a proctor has noted about a candidate's presence in the hall.
         * @enum {string}
         */
        Attendance: "present" | "absent";
        /** @description Marks a candidate as present or as absent, or lets one in although the entry is over. */
        AttendanceOrder: {
            /** @description A candidate of the watched room, or `*` for everyone there whom it can mean. */
            candidateId: string;
            id: components["schemas"]["OrderId"];
            /** @enum {string} */
            type: "present" | "absent" | "admit";
        };
        /**
         * @description Whom a template is for.
         * @enum {string}
         */
        Audience: "anyone" | "signed-in" | "classes";
        /** @description Something that was done. */
        AuditEntryView: {
            /** @description Such as `user.role`. */
            action: string;
            /** @description E-mail address. */
            actor: string;
            /** Format: date-time */
            at: string;
            /** @description In a few words. May be empty. */
            detail: string;
            /** Format: int64 */
            id: number;
            /** @description What it was done to: an id, an address or a name. May be empty. */
            subject: string;
        };
        /** @description A page of entries, the newest first. */
        AuditPage: {
            /** @description All actions that can be on record. */
            actions: string[];
            entries: components["schemas"]["AuditEntryView"][];
            /**
             * Format: int64
             * @description From 1.
             */
            page: number;
            /** Format: int64 */
            perPage: number;
            /** Format: int64 */
            total: number;
        };
        /**
         * @description A range of the weighted percentage of stage 1; each lower bound belongs to its band.
         * @enum {string}
         */
        Band: "90-100" | "80-90" | "70-80" | "60-70" | "below-60";
        /**
         * @description The time begins to count. The same bytes for everyone of a form, unless each has an order of options of their own; a
         *     `time` with the own deadline follows within 5 s.
         */
        Begin: {
            /** @description From part to its key: base64 of 32 bytes. */
            keys: {
                [key: string]: string;
            };
            /** @description From question id to the letters of its options in the order in which the student sees them, as in `started`. */
            optionOrder?: {
                [key: string]: string;
            };
            /** Format: date-time */
            startedAt: string;
            /** @enum {string} */
            type: "begin";
        };
        /** @description Begins the sitting that is watched, or the room of it. */
        BeginOrder: {
            id: components["schemas"]["OrderId"];
            /** @enum {string} */
            type: "begin";
        };
        /** @description What a start or an entry returns: `resumed` if its `key` has begun a session before, or the exam has begun. */
        Begun: components["schemas"]["Started"] | components["schemas"]["Waiting"] | components["schemas"]["Resumed"];
        /**
         * @description The kinds of lists that a template has.
         * @enum {string}
         */
        BucketKind: "standard" | "session1" | "session2";
        /**
         * @description Which calculator a test allows.
         * @enum {string}
         */
        Calculator: "none" | "basic" | "scientific";
        /** @description How many candidates are in each state. */
        CandidateCounts: {
            /**
             * Format: int64
             * @description Never entered.
             */
            absent: number;
            /**
             * Format: int64
             * @description At work.
             */
            active: number;
            /**
             * Format: int64
             * @description Not entered yet.
             */
            expected: number;
            /**
             * Format: int64
             * @description Stopped by a proctor for a while.
             */
            paused: number;
            /**
             * Format: int64
             * @description Waiting, with the paper at hand.
             */
            ready: number;
            /**
             * Format: int64
             * @description Handed in.
             */
            submitted: number;
            /**
             * Format: int64
             * @description All on the roster.
             */
            total: number;
            /**
             * Format: int64
             * @description Entered, before their time counts.
             */
            waiting: number;
        };
        /**
         * @description A candidate. `email` or `externalId` is required for a new one.
         * @example {
         *       "email": "ada@exam.example",
         *       "name": "Ada",
         *       "room": "B12",
         *       "seat": "14"
         *     }
         */
        CandidateFields: {
            email?: string | null;
            /**
             * Format: date-time
             * @description A hard end of their own.
             */
            endsAt?: string | null;
            externalId?: string | null;
            /** Format: int32 */
            extraMinutes?: number | null;
            /**
             * Format: int32
             * @description A whole percentage.
             */
            factor?: number | null;
            /** @description 1 to 200 characters; the address or the id if it is left out. */
            name?: string | null;
            /** @description For proctors. */
            note?: string | null;
            /** @description The name of a room, which is made if there is none. */
            room?: string | null;
            seat?: string | null;
            /**
             * Format: date-time
             * @description A start of their own, kept by the clock.
             */
            startsAt?: string | null;
        };
        /**
         * @description Says who a candidate is on a learning platform.
         * @example {
         *       "personId": "00000000-0000-4000-8000-000000000000"
         *     }
         */
        CandidateJoin: {
            /**
             * Format: uuid
             * @description Somebody who was seen at a link to the sitting. Null: nobody, so that they can be joined otherwise.
             */
            personId: string | null;
        };
        /** @description Questions that could replace a locked one. */
        Candidates: {
            candidates: components["schemas"]["Question"][];
        };
        /** @description Candidates who are in another sitting at the same time. */
        CandidatesElsewhere: {
            /**
             * Format: int64
             * @description How many.
             */
            candidates: number;
            /** @description The other sittings that the caller manages, by their starts. */
            sittings: components["schemas"]["ElsewhereSitting"][];
        };
        /**
         * @description How far a candidate has come. Whether they are connected is a separate fact.
         * @enum {string}
         */
        CandidateState: "expected" | "waiting" | "ready" | "active" | "paused" | "submitted" | "absent";
        /** @description One field that an edit has changed. */
        Change: {
            /** @description The new text; empty when there is none. */
            after: string;
            /** @description The old text; empty when there was none. */
            before: string;
            /**
             * @description `Question`, `Option A` to `Option D`, `Answer`, of a number `Tolerance`, `Unit`, `Forms` and `Language`,
             *     `Explanation`, `Image`, `Image description`, `Topic`, `Subtopic`, `Difficulty`, `Source` or `Fixed options`;
             *     after an import also `Grade` or `Type`.
             */
            field: string;
        };
        /** @description A changed accommodation, and the candidates with open doors whom the change concerns. */
        ChangedAccommodation: {
            accommodation: components["schemas"]["Accommodation"] | null;
            concerns: components["schemas"]["ConcernedCandidate"][];
        };
        /** @description The rows that have changed, at most four times a second. */
        Changes: components["schemas"]["RoomHead"] & {
            /** @description For those who have said which rows they have in view. */
            counts?: components["schemas"]["RoomCounts"];
            /** @description For those who are told differences; to be applied after `removed` and `sessions`, in order. */
            differences?: components["schemas"]["RowDifference"][];
            /** @description Sessions that the room no longer shows; in the room of a sitting, candidates. */
            removed: string[];
            /**
             * Format: int64
             * @description The position in the room.
             */
            seq: number;
            sessions: components["schemas"]["NumberedRow"][];
            /** @enum {string} */
            type: "changes";
        };
        /** @description The change of a user. */
        ChangeUser: {
            role: components["schemas"]["Role"];
        };
        /**
         * @description What is tested.
         * @enum {string}
         */
        CheckedPart: "keys" | "token";
        /**
         * @description One of the four options, by position.
         * @enum {string}
         */
        Choice: "A" | "B" | "C" | "D";
        /** @description A list of people that the school keeps. */
        Class: {
            /** Format: date-time */
            createdAt: string;
            /** @description E-mail address. */
            createdBy: string;
            grade: components["schemas"]["Grade"];
            /** Format: uuid */
            id: string;
            name: string;
            /**
             * Format: int64
             * @description How many there are.
             */
            people: number;
            /**
             * Format: date-time
             * @description Later with each change of the class or of its people.
             */
            updatedAt: string;
        };
        /**
         * @description The fields of a class to change. The others stay.
         * @example {
         *       "grade": 6,
         *       "name": "6A"
         *     }
         */
        ClassFields: {
            /** Format: int32 */
            grade?: number | null;
            name?: string | null;
        };
        /** @description A class cannot be removed. */
        ClassInUse: {
            error: string;
            /** @description The names of the templates that are for it and have not closed, in order; the first 100. */
            templates: string[];
        };
        /** @description `{ classes }`, by grade and name. */
        ClassList: {
            classes: components["schemas"]["Class"][];
        };
        /** @description The people of a class as JSON. */
        ClassPeopleBody: {
            people: components["schemas"]["ClassPersonFields"][];
        };
        /** @description Somebody in a class. */
        ClassPerson: {
            email?: string;
            externalId?: string;
            /**
             * Format: int32
             * @description Likewise.
             */
            extraMinutes: number | null;
            /**
             * Format: int32
             * @description How much of the usual time they get wherever they sit, in percent; null for what the register or the sitting
             *     says.
             */
            factor: number | null;
            name: string;
            /** @description For proctors. */
            note: string | null;
        };
        /**
         * @description Somebody in a class. `email` or `externalId` is required.
         * @example {
         *       "email": "ada@exam.example",
         *       "name": "Ada"
         *     }
         */
        ClassPersonFields: {
            email?: string | null;
            externalId?: string | null;
            /** Format: int32 */
            extraMinutes?: number | null;
            /**
             * Format: int32
             * @description A whole percentage.
             */
            factor?: number | null;
            /** @description 1 to 200 characters; the address or the id if it is left out. */
            name?: string | null;
            /** @description For proctors. */
            note?: string | null;
        };
        /** @description `{ class, people }`, these by name. */
        ClassWithPeople: {
            class: components["schemas"]["Class"];
            people: components["schemas"]["ClassPerson"][];
        };
        /** @description Asks for a code with which the student of a session can go on with another device. */
        CodeRequest: {
            id: components["schemas"]["OrderId"];
            /** Format: uuid */
            sessionId: string;
            /** @enum {string} */
            type: "code";
        };
        /** @description What whoever comes back gets: `waiting` before the beginning of a sitting. */
        ComeBack: components["schemas"]["Waiting"] | components["schemas"]["Resumed"];
        /** @description A numbered command. */
        Command: components["schemas"]["Answer"] | components["schemas"]["Mark"] | components["schemas"]["Eliminate"] | components["schemas"]["Visit"] | components["schemas"]["Drawing"] | components["schemas"]["Next"] | components["schemas"]["Submit"];
        /**
         * @description The body of a request with commands.
         * @example {
         *       "commands": [
         *         {
         *           "questionId": "g5-001",
         *           "seq": 1,
         *           "type": "visit"
         *         },
         *         {
         *           "questionId": "g5-001",
         *           "selected": "B",
         *           "seq": 2,
         *           "timeTaken": 41,
         *           "type": "answer"
         *         },
         *         {
         *           "marked": true,
         *           "questionId": "g5-001",
         *           "seq": 3,
         *           "type": "mark"
         *         }
         *       ]
         *     }
         */
        Commands: {
            /** @description 1 to 200; there may be none beside `trouble`. */
            commands: components["schemas"]["Command"][];
            /** @description What is wrong at the student's computer, as in the frame `trouble`; what was reported before stays without it. */
            trouble?: components["schemas"]["Trouble"][];
        };
        /** @description The payload of the webhooks `test.completed`, `result.released` and `result.changed`. */
        CompletedSession: {
            /**
             * @description E-mail of the person who was signed in when a live exam began, for staff and the receiver of the webhook: null
             *     when nobody was, and absent for other readers.
             */
            account?: string | null;
            /** @description The caller's own object, as it was sent. */
            annotations: Record<string, never>;
            /**
             * Format: date-time
             * @description The same as `timestamp`.
             */
            completedAt: string;
            event: components["schemas"]["SessionEvent"];
            grade: components["schemas"]["Grade"];
            /** @description The mark of the result on the school's scale; absent without a scale, and like the result. */
            mark?: components["schemas"]["ResultMark"];
            /** @description `live` if a live exam was sat, `client` if a client handed the test in. */
            origin: components["schemas"]["SessionOrigin"];
            /** @description What it was before; absent like `reason`. */
            previous?: components["schemas"]["PreviousVersion"];
            /** @description Why the result was changed; absent for the first version, and until the sitting of the test is released. */
            reason?: components["schemas"]["VersionReason"];
            /** @description The link to the report. */
            reportUrl: string;
            result: components["schemas"]["SessionResult"] | null;
            /**
             * Format: uuid
             * @description Identifier of the session.
             */
            sessionId: string;
            /**
             * Format: date-time
             * @description When the student began.
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description When the test ended.
             */
            timestamp: string;
            /** @description Whether the server graded the test by its own bank. */
            verified: boolean;
            /**
             * Format: int32
             * @description Counts the results that the test has had.
             */
            version: number;
        };
        /** @description A candidate whose copy differs from the register. */
        ConcernedCandidate: {
            after: components["schemas"]["CopiedValues"];
            /** @description Whether the change has been applied to them. */
            applied: boolean;
            before: components["schemas"]["CopiedValues"];
            /** Format: uuid */
            candidateId: string;
            /** @description Their name. */
            name: string;
            /** @description The name of the sitting. */
            sitting: string;
            /** Format: uuid */
            sittingId: string;
            state: components["schemas"]["CandidateState"];
        };
        /** @description One step of a test. */
        ConnectionCheck: {
            /** @description What is in the way, or what was found. */
            message: string;
            name: components["schemas"]["CheckedPart"];
            ok: boolean;
        };
        /** @description What became of a test. */
        ConnectionReport: {
            /** @description Each step, in its order. */
            checks: components["schemas"]["ConnectionCheck"][];
            /** @description Whether all of it works. */
            ok: boolean;
        };
        /** @description The student's connection, as the server has noted it. */
        ConnectionView: {
            /** Format: date-time */
            at: string;
            /** @description `connected`, `disconnected` or `taken over`. */
            kind: string;
        };
        /** @description What holds for a candidate with one or the other accommodation. */
        CopiedValues: {
            /**
             * Format: date-time
             * @description When their time is up; null while it is not known from when it counts.
             */
            deadline: string | null;
            /** Format: int32 */
            extraMinutes: number;
            /**
             * Format: int32
             * @description In percent.
             */
            factor: number;
        };
        /** @description The correction, or what it would do. */
        CorrectionAnswer: components["schemas"]["KeyCorrection"] | components["schemas"]["CorrectionOutlook"];
        /** @description How the question is mended. */
        CorrectionEdit: {
            /** @description What the caller has seen of the question. */
            before?: components["schemas"]["SeenFields"];
            /** @description The grade of the question. */
            grade: components["schemas"]["Grade"];
            updates: components["schemas"]["UpdatesView"];
        };
        /**
         * @description What a correction says of a question.
         * @enum {string}
         */
        CorrectionKind: "key" | "also" | "all" | "drop";
        /** @description Corrections of keys. */
        CorrectionList: {
            /** @description The newest first, with those that were reverted. */
            corrections: components["schemas"]["KeyCorrection"][];
        };
        /** @description What a correction would do. */
        CorrectionOutlook: {
            /** @description The scores in bins of 50 points, the lowest first. 800 is in the last. */
            distribution: components["schemas"]["ScoreBin"][];
            /**
             * Format: int64
             * @description Those whose score falls; none with `nobodyLoses`.
             */
            fall: number;
            /**
             * Format: int64
             * @description Of those that stay, how many would fall without `nobodyLoses`.
             */
            kept: number;
            /** @description The ten largest changes, the largest first. */
            largest: components["schemas"]["LargeChange"][];
            /** @description The options of the question that its letters stand for, in their order; null if their texts are not known. */
            optionTexts: string[] | null;
            /**
             * Format: int64
             * @description Adaptive tests whose second stage would have been of another band. Bands are not changed.
             */
            otherBands: number;
            /**
             * Format: int64
             * @description Tests that were asked the question with other options. A letter means something else there, so that `key` and
             *     `also` leave them alone; they are not among `sessions`.
             */
            otherOptions: number;
            /**
             * Format: int64
             * @description Those whose score rises.
             */
            rise: number;
            /**
             * Format: int64
             * @description Finished tests that were asked the question.
             */
            sessions: number;
            /**
             * Format: int64
             * @description The others.
             */
            stay: number;
        };
        /** @description How far the tests have followed what was done last: that it was made, or reverted. */
        CorrectionProgress: {
            /** Format: int64 */
            done: number;
            finished: boolean;
            /**
             * Format: int64
             * @description 0 until they are counted.
             */
            total: number;
        };
        /** @description Which tests a correction is about: exactly one of a sitting, a template, and a grade with both times. */
        CorrectionScope: {
            /** @description Of a grade, live tests that began then or later: ISO 8601, or a day in the school's time zone. */
            from?: string;
            /** Format: int32 */
            grade?: number;
            /** Format: uuid */
            sittingId?: string;
            /** Format: uuid */
            templateId?: string;
            /**
             * @description Tests that began before then: ISO 8601, or a day in the school's time zone, which is included. Those that begin
             *     after the correction are never in it.
             */
            to?: string;
        };
        /**
         * @description The body of `POST /api/manager/corrections`.
         * @example {
         *       "comment": "C is right too",
         *       "kind": "also",
         *       "options": [
         *         "C"
         *       ],
         *       "questionId": "g5-001",
         *       "scope": {
         *         "sittingId": "00000000-0000-4000-8000-000000000000"
         *       }
         *     }
         */
        CorrectKey: {
            /** @description At most 10,000 characters. */
            comment?: string | null;
            edit?: components["schemas"]["CorrectionEdit"] | null;
            /**
             * Format: uuid
             * @description What the correction is to be called, so that the request can be repeated when its answer is lost. The server
             *     makes an id if it is left out.
             */
            id?: string | null;
            kind: components["schemas"]["CorrectionKind"];
            /** @description Whether a test whose score would fall stays as it is; `true` if it is left out. */
            nobodyLoses?: boolean | null;
            /**
             * @description One for `key`, one to three for `also`, and none for the others: letters of options, or of a question that
             *     asks for a number numbers with a decimal point.
             */
            options?: string[] | null;
            /**
             * @description The texts of the question's options in their order, as the caller has seen them: the letters are about tests
             *     that were asked exactly those. If it is left out they are about those that the newest test was asked.
             */
            optionTexts?: string[] | null;
            questionId: string;
            scope: components["schemas"]["CorrectionScope"];
        };
        /** @description `{ links, cameByRemoved }`. */
        CourseLinkList: {
            /**
             * @description With `sittingId`: those who have a test and came by a link that was removed, also where no link is left; the
             *     first 200 by name.
             */
            cameByRemoved: components["schemas"]["UngradedView"][];
            links: components["schemas"]["CourseLinkView"][];
        };
        /** @description A link in a course of a platform. */
        CourseLinkView: {
            /** @description What the platform calls the course; null if it does not say. */
            contextTitle: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description The platform's name of the deployment. */
            deploymentId: string;
            /** @description Whether the platform lists the members of the course. */
            hasRoster: boolean;
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When the platform took a score last.
             */
            lastScoreAt: string | null;
            /** @description The column of the grade book; null if none is known. */
            lineItem: string | null;
            /** @description The name of the platform. */
            platform: string;
            /** Format: uuid */
            platformId: string;
            /**
             * Format: date-time
             * @description When it could not be taken by itself, if the last time failed.
             */
            rosterFailedAt: string | null;
            /**
             * Format: date-time
             * @description When it was taken from the course last, by itself or by hand.
             */
            rosterTakenAt: string | null;
            /** @description Whether the roster of the sitting is taken from the course by itself, before the doors open. */
            takesRoster: boolean;
            target: components["schemas"]["LinkTarget"];
            /** @description The name of the sitting or the template; null if it is gone. */
            targetName: string | null;
            /** @description What the platform calls the link; null if it does not say. */
            title: string | null;
            /** @description With `sittingId`: those who have a test and cannot be given a score, and why; the first 200 by name. */
            ungraded: components["schemas"]["UngradedView"][];
            /**
             * @description With `sittingId` or `templateId`: number of tests that were begun by the link and whose results the platform
             *     does not have yet.
             */
            waiting: number;
        };
        /** @description What taking the roster from a course has done, or would do. */
        CourseReport: {
            /** @description The names of those who are new; 500 at most. */
            added: string[];
            /** @description A sentence for each person who was not taken, beginning with their name. */
            errors: string[];
            /** @description The names of those who came from the course, have left it and have not entered; 500 at most. */
            left: string[];
            /** @description Number of those who were not taken, and can be joined to rows of the roster by hand. */
            unjoined: number;
            /** @description Number of those who were there before. */
            updated: number;
            /** @description The names of those of whom the platform tells no e-mail address; 500 at most. */
            withoutEmail: string[];
        };
        /**
         * @description Takes the roster from the course of a link.
         * @example {
         *       "linkId": "00000000-0000-4000-8000-000000000000"
         *     }
         */
        CourseRoster: {
            /**
             * @description Whether those who are new come onto the roster, as they do if it is left out. Else only those who are on it
             *     already are known from now on, and the others are left to be joined by hand.
             */
            addsNew?: boolean | null;
            /**
             * @description Whether it is taken by itself from now on: shortly before the sitting, until the doors open. Nobody is
             *     removed by that.
             */
            byItself?: boolean | null;
            /**
             * Format: uuid
             * @description A link that leads to this sitting.
             */
            linkId: string;
            /** @description Whether those who have left the course are removed. */
            removeLeft?: boolean | null;
            /**
             * @description Whether it is taken now, as it is if this is left out. Else `byItself` alone is noted, without asking the
             *     platform, which may be away.
             */
            takesNow?: boolean | null;
        };
        /** @description The id of the session and the address of its report. */
        Created: {
            reportUrl: string;
            /** Format: uuid */
            sessionId: string;
        };
        /**
         * @description The body of `POST /api/sessions`.
         * @example {
         *       "annotations": {
         *         "studentId": "s-17"
         *       },
         *       "baseUrl": "https://exam.example",
         *       "grade": 5,
         *       "result": {
         *         "answers": [
         *           {
         *             "correct": "B",
         *             "isCorrect": true,
         *             "questionId": "g5-001",
         *             "selected": "B",
         *             "timeTaken": 41
         *           },
         *           {
         *             "correct": "C",
         *             "isCorrect": false,
         *             "questionId": "g5-002",
         *             "selected": ""
         *           }
         *         ],
         *         "correctAnswers": 1,
         *         "difficultyBreakdown": [
         *           {
         *             "correct": 1,
         *             "difficulty": 1,
         *             "total": 2
         *           }
         *         ],
         *         "score": 500,
         *         "timeTaken": 95,
         *         "topicBreakdown": [
         *           {
         *             "correct": 1,
         *             "percentage": 50,
         *             "topic": "Fractions",
         *             "total": 2
         *           }
         *         ],
         *         "totalQuestions": 2
         *       },
         *       "startedAt": "2026-01-05T09:00:00.000Z"
         *     }
         */
        CreateSession: {
            /** @description Free key/value object. */
            annotations?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The address that the report's link begins with, in the answer, in the record and for the webhook. Staff's lists
             *     and tables link to this server. `BASE_URLS` may limit it.
             */
            baseUrl: string;
            /** @description Question id to drawing. */
            drawings?: {
                [key: string]: unknown;
            } | null;
            grade: components["schemas"]["Grade"];
            /** @description Graded again by the server when all its questions are in the grade's bank, or were before they were retired. */
            result: components["schemas"]["TestResult"];
            /**
             * Format: date-time
             * @description ISO 8601.
             */
            startedAt: string;
            /** @description The address that the webhook is posted to when the test is stored. */
            webhookUrl?: string | null;
        };
        /** @description The database. If it does not answer, neither does this route. */
        DatabaseHealth: {
            /** @description `sqlite` or `postgres`. */
            kind: string;
            /**
             * Format: double
             * @description How long it took to answer.
             */
            milliseconds: number;
            ok: boolean;
        };
        /** @description The body of `POST /api/manager/approvals`. */
        Decide: {
            /** @description At most 10,000 characters. */
            comment?: string | null;
            grade: components["schemas"]["Grade"];
            status: components["schemas"]["ApprovalStatus"];
        };
        /** @description The decision is stored. */
        Decided: components["schemas"]["DecisionCounts"] & {
            ok: boolean;
        };
        /** @description What was decided. */
        DecidedLateWork: {
            /** @description How many commands count now. */
            accepted: number;
            /** @description How many are declined now. */
            declined: number;
            /** @description Whether this decision has made it. */
            isNewVersion: boolean;
            score: components["schemas"]["ScoreChange"] | null;
            /**
             * Format: int32
             * @description The number of the newest version of the test.
             */
            version: number;
        };
        /** @description The body of `POST /api/live/sessions/{id}/late`. */
        DecideLateWork: {
            /** @description 2,000 characters at most. */
            comment?: string | null;
            decision: components["schemas"]["LateDecision"];
            /** @description Accept what came after the student was shown the key, or after the release. That it did stays on the record. */
            force?: boolean | null;
            /** @description Only the commands for these questions; for all of them without it. */
            questionIds?: string[] | null;
            /**
             * Format: int32
             * @description How many commands the caller has seen: 412 if there are others by now.
             */
            seen?: number | null;
            /**
             * Format: date-time
             * @description Only what the student did until then, by the client's claim, or else by when it was received.
             */
            until?: string | null;
        };
        /** @description How many questions were in each state of review when their grade was decided on: all three numbers, or none. */
        DecisionCounts: {
            /**
             * Format: int32
             * @description Questions of the grade that were approved at that moment; absent, like the other two, in older decisions.
             */
            approved?: number;
            /**
             * Format: int32
             * @description Questions that were flagged.
             */
            flagged?: number;
            /**
             * Format: int32
             * @description Questions that were pending, or had never been reviewed.
             */
            pending?: number;
        };
        /**
         * @description A question as a caller gets it. With `PUBLIC_ANSWERS=false` only staff of the grade get `answer`,
         *     `tolerance`, `forms` and `explanation`, unless it is marked as one for practice; without it, they alone get these of
         *     a question that is marked as none, and of those of a template that is no practice.
         */
        DeliveredQuestion: {
            /** @description The right option, `A` to `D`, or the right number with a decimal point. */
            answer?: string;
            /**
             * Format: int32
             * @description 1 to 5.
             */
            difficulty: number;
            /** @description How to find the answer. */
            explanation?: string;
            /** @description The ways of writing a number that count. */
            forms?: components["schemas"]["NumberForm"][];
            grade: components["schemas"]["Grade"];
            id: string;
            /** @description Link to a picture; empty when there is none. */
            image: string;
            /** @description What the picture shows, in words; empty when nobody has described it. */
            imageDescription: string;
            /** @description How digit groups and decimal signs of a number are read. */
            language?: components["schemas"]["NumberLanguage"];
            /** @description The texts of the options, A to D by position; none if the answer is a number. */
            options: string[];
            /** @description The text of the question. */
            question: string;
            /** @description Where the question comes from. */
            source: string;
            subtopic: string;
            /** @description How far a number may be from the right one; there with the answer of a number, like the next. */
            tolerance?: string;
            topic: string;
            /** @description `multiple-choice` or `number`. */
            type: string;
            /** @description What stands behind the box for a number; may be empty. Absent of multiple choice, like the next. */
            unit?: string;
        };
        /** @description A page of deliveries, the newest first. */
        DeliveryPage: {
            deliveries: components["schemas"]["DeliveryView"][];
            /**
             * Format: int64
             * @description From 1.
             */
            page: number;
            /** Format: int64 */
            perPage: number;
            /** Format: int64 */
            total: number;
        };
        /**
         * @description The state of a webhook delivery.
         * @enum {string}
         */
        DeliveryStatus: "pending" | "delivered" | "failed";
        /** @description One delivery. */
        DeliveryView: {
            /** Format: int32 */
            attempts: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            deliveredAt: string | null;
            event: string;
            /** Format: uuid */
            id: string;
            lastError: string | null;
            /** Format: int32 */
            lastStatus: number | null;
            /** Format: date-time */
            nextAttemptAt: string | null;
            /**
             * Format: uuid
             * @description The test that the event is about; null for that of a sitting.
             */
            sessionId: string | null;
            /**
             * Format: uuid
             * @description The sitting that the event is about (`sitting.ended`); null for that of a test.
             */
            sittingId: string | null;
            status: components["schemas"]["DeliveryStatus"];
            url: string;
        };
        /** @description A place of a platform in which the tool is installed, such as a school or a course. */
        Deployment: {
            /**
             * @description The platform's own name of it.
             * @example 1
             */
            id: string;
            /** @description Whether its launches are taken. */
            state: components["schemas"]["DeploymentState"];
        };
        /**
         * @description Whether launches of a deployment are taken.
         * @enum {string}
         */
        DeploymentState: "pending" | "active";
        /** @description The result in one difficulty. */
        DifficultyLine: {
            /**
             * Format: int32
             * @description Questions answered correctly.
             */
            correct: number;
            /**
             * Format: int32
             * @description 1 to 5.
             */
            difficulty: number;
            /**
             * Format: int32
             * @description Questions of the difficulty.
             */
            total: number;
        };
        /**
         * @description How many questions of each difficulty are wanted. A difficulty that is missing means 0.
         * @example {
         *       "1": 4,
         *       "2": 3,
         *       "3": 3,
         *       "4": 4,
         *       "5": 6
         *     }
         */
        DifficultyTargets: {
            /** Format: int32 */
            1?: number;
            /** Format: int32 */
            2?: number;
            /** Format: int32 */
            3?: number;
            /** Format: int32 */
            4?: number;
            /** Format: int32 */
            5?: number;
        };
        /** @description The change is made. */
        Done: {
            ok: boolean;
        };
        /** @description Stores the drawing of a question, or removes it. */
        Drawing: {
            /**
             * Format: date-time
             * @description As in `answer`.
             */
            at?: string;
            /** @description Any object of 200 KiB at most as JSON; null removes the drawing. */
            drawing: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: int32
             * @description As in `answer`.
             */
            line?: number;
            questionId: string;
            /**
             * Format: int64
             * @description As in `answer`.
             */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "drawing";
        };
        /** @description An entry of the edit log. */
        Edit: {
            /** @description The changed fields. */
            changes: components["schemas"]["Change"][];
            /** @description Why it was edited; may be empty. */
            comment: string;
            /**
             * Format: date-time
             * @description When the question was edited; ISO 8601.
             */
            editedAt: string;
            /** @description The editor's e-mail. */
            editedBy: string;
            /** @description The editor's name at that time. */
            editedByName: string;
            /**
             * Format: int32
             * @description Grade of the question when it was edited.
             */
            grade: number;
            /**
             * Format: uuid
             * @description Identifier of the edit.
             */
            id: string;
            /** @description Identifier of the question. */
            questionId: string;
        };
        /** @description The id under which the edit is logged. */
        Edited: {
            /** Format: uuid */
            editId: string;
            ok: boolean;
        };
        /** @description The log, newest first. */
        EditLog: {
            editLog: components["schemas"]["Edit"][];
        };
        /** @description The body of `POST /api/review/edit`. */
        EditQuestion: {
            before?: components["schemas"]["SeenFields"] | null;
            /** @description The reason. At most 10,000 characters. */
            comment?: string | null;
            grade: components["schemas"]["Grade"];
            questionId: string;
            updates: components["schemas"]["UpdatesView"];
        };
        /** @description Crosses options out, or no longer. They are not part of the result, and can still be chosen. */
        Eliminate: {
            /**
             * Format: date-time
             * @description As in `answer`.
             */
            at?: string;
            /** @description All options that are crossed out now, in their order and each once. */
            eliminated: components["schemas"]["Choice"][];
            /**
             * Format: int32
             * @description As in `answer`.
             */
            line?: number;
            questionId: string;
            /**
             * Format: int64
             * @description As in `answer`.
             */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "eliminate";
        };
        /** @description A sitting in which candidates are at the same time. */
        ElsewhereSitting: {
            /** Format: uuid */
            id: string;
            name: string;
        };
        /** @description The three addresses of a platform. */
        Endpoints: {
            /**
             * @description Where a browser is sent to sign in.
             * @example https://lms.school.example/mod/lti/auth.php
             */
            authorization: string;
            /**
             * @description Where the platform's public keys are.
             * @example https://lms.school.example/mod/lti/certs.php
             */
            jwks: string;
            /**
             * @description Where access tokens are asked for.
             * @example https://lms.school.example/mod/lti/token.php
             */
            token: string;
        };
        /**
         * @description What ended an attempt.
         * @enum {string}
         */
        EndReason: "student" | "deadline" | "proctor";
        /** @description What a change of times did to those who have entered and whom it concerns. */
        EndsMoved: {
            /**
             * Format: int64
             * @description How many have another end now.
             */
            count: number;
            /** @description The first hundred of them by name, with the reason. */
            unchanged: components["schemas"]["UnchangedSession"][];
            /**
             * Format: int64
             * @description How many have the end that they had.
             */
            unchangedCount: number;
        };
        /**
         * @description Enters a sitting, or comes back into it: with the candidate's own code, or by sign-in with an address of the roster.
         * @example {
         *       "access": "9F3KT-T2M7X",
         *       "code": "K7PQ2",
         *       "key": "k3v9x0d2m7q1w8e5",
         *       "type": "enter"
         *     }
         */
        Enter: {
            /** @description The candidate's own code; without it the candidate is known by sign-in. */
            access?: string | null;
            /** @description Decides nothing: in a sitting links to reports begin with the server's public address. */
            baseUrl?: string | null;
            /** @description The sitting's code, in any case. */
            code?: string | null;
            /** @description A random text that makes the entry repeatable: with the same key the answer has the same token. */
            key?: string | null;
            /**
             * Format: uuid
             * @description Either this or `code`.
             */
            sittingId?: string | null;
            /** @enum {string} */
            type: "enter";
        };
        /** @description The body of every error. */
        ErrorBody: {
            /** @description `read_only` while the server only reads (`READ_ONLY`); other errors have none. */
            code?: string;
            /** @description What is wrong, in one sentence. */
            error: string;
        };
        /** @description All events of a session. */
        EventsView: {
            events: components["schemas"]["EventView"][];
        };
        /** @description One event of a live exam. */
        EventView: {
            /** Format: date-time */
            at: string;
            by: string;
            detail: string;
            kind: string;
        };
        /** @description A moment, and where it comes from. */
        ExplainedMoment: {
            source: components["schemas"]["ValueSource"];
            /** Format: date-time */
            value: string;
        };
        /** @description A number, and where it comes from. */
        ExplainedNumber: {
            source: components["schemas"]["ValueSource"];
            /** Format: int32 */
            value: number;
        };
        /** @description Each value that holds for a candidate. */
        ExplainedTerms: {
            /**
             * Format: date-time
             * @description What their time counts from: null while they wait for a proctor, or have yet to enter.
             */
            base: string | null;
            begin: components["schemas"]["ExplainedMoment"] | null;
            /** Format: uuid */
            candidateId: string;
            deadline: components["schemas"]["ExplainedMoment"] | null;
            end: components["schemas"]["ExplainedMoment"] | null;
            /**
             * Format: date-time
             * @description When they entered.
             */
            enteredAt: string | null;
            /**
             * Format: int32
             * @description Minutes that proctors have added.
             */
            extendedMinutes: number;
            /** @description Minutes on top. */
            extra: components["schemas"]["ExplainedNumber"];
            /** @description In percent. */
            factor: components["schemas"]["ExplainedNumber"];
            /** @description Of the template. */
            minutes: components["schemas"]["ExplainedNumber"];
            /**
             * Format: int64
             * @description The length of the pauses, that of one that lasts until now.
             */
            pausedMilliseconds: number;
            /** @description When the exam is to start for them. */
            start: components["schemas"]["ExplainedMoment"];
        };
        /** @description `{ explain }`. */
        Explanation: {
            explain: components["schemas"]["ExplainedTerms"];
        };
        /** @description A proctor has given more time. */
        Extended: {
            /** Format: date-time */
            deadline: string;
            /**
             * Format: int32
             * @description What was added since the last such message.
             */
            minutes: number;
            /**
             * Format: int64
             * @description The length of the pauses that have ended, which are part of the deadline.
             */
            pausedMs: number;
            /** Format: int64 */
            remainingMs: number;
            /** Format: date-time */
            serverTime: string;
            state: components["schemas"]["SessionState"];
            /**
             * Format: int64
             * @description Grows with each change of what the deadline is made of: what comes with a lower one than is known is old.
             */
            timeVersion: number;
            /** @enum {string} */
            type: "extended";
        };
        /** @description Gives time, or takes some. */
        ExtendOrder: {
            id: components["schemas"]["OrderId"];
            /**
             * Format: int32
             * @description Not 0.
             */
            minutes: number;
            /** @description A session of the watched room, or `*` for all of them. */
            sessionId: string;
            /** @enum {string} */
            type: "extend";
        };
        /** @description The page has lost or regained the focus. */
        Focus: {
            away: boolean;
            /** @enum {string} */
            type: "focus";
        };
        /**
         * @description What the form of a candidate comes from.
         * @enum {string}
         */
        FormBy: "entered" | "seat" | "chance";
        /** @description One form of a template: its questions in their order. */
        FormList: {
            /** @description By id, the right option under its letter in the bank, `A` to `D`, or the right number. */
            correct: {
                [key: string]: string;
            };
            /**
             * @description `A` to `H`; A is the list itself.
             * @example B
             */
            form: string;
            /**
             * @description By id, the letters of a question's options in the order in which this form has them: with `CADB` option C comes
             *     first, called A. Questions whose options stand as in the bank are left out; absent if all do.
             */
            optionOrder?: {
                [key: string]: string;
            };
            /** @description The ids of its questions, in order. */
            questions: string[];
        };
        /** @description A further token of a session. */
        FurtherTokenView: {
            /**
             * Format: int32
             * @description Of the device that gets the token: it names it in its commands, until `resumed` gives it another.
             */
            line: number;
            token: string;
        };
        /** @description A template whose questions have just been drawn. */
        GeneratedTemplate: {
            /**
             * @description How many questions were missing: `{"standard":{"5":2}}`, `{"session1":{"3":1},"session2":{"90-100":{"5":4}}}`,
             *     `{"topics":{"Fractions":2}}`; empty when all were found.
             */
            shortfalls: Record<string, never>;
            template: components["schemas"]["TestTemplate"];
        };
        /**
         * Format: int32
         * @description A number from 1 to 10.
         * @example 5
         */
        Grade: number;
        /** @description The item statistics of a grade. Shares and coefficients have four decimals. */
        GradeItems: {
            /** Format: int32 */
            grade: number;
            /** @description Every question that a counted session had, sorted by id. */
            items: components["schemas"]["ItemFigures"][];
            /**
             * Format: double
             * @description KR-20; null when it is not defined.
             */
            reliability: number | null;
            /**
             * Format: int64
             * @description Sessions that were counted.
             */
            sessions: number;
        };
        /** @description The progress of one grade. */
        GradeProgress: {
            /** Format: int64 */
            approved: number;
            /** @description Reviewers assigned to the grade, by e-mail; only in the answer to managers. */
            assignedReviewers?: components["schemas"]["AssignedReviewer"][];
            /** Format: int64 */
            flagged: number;
            /**
             * Format: int32
             * @description 1 to 10.
             */
            grade: number;
            /**
             * Format: int64
             * @description Neither approved nor flagged.
             */
            pending: number;
            /** @description Reviewers whose decisions are current, by e-mail. */
            reviewers: components["schemas"]["ReviewerProgress"][];
            /** Format: int64 */
            total: number;
        };
        /** @description `{ grants }`. */
        GrantList: {
            grants: components["schemas"]["GrantView"][];
        };
        /** @description What a deployment was given. */
        GrantView: {
            /** @description The platform's name of the deployment. */
            deploymentId: string;
            /** Format: date-time */
            grantedAt: string;
            /** @description E-mail of the admin, or the platform's id of the instructor who chose it. */
            grantedBy: string;
            target: components["schemas"]["LinkTarget"];
            /** @description The name of the sitting or the template; null if it is gone. */
            targetName: string | null;
        };
        /** @description The standing of one hall. */
        HallStanding: {
            /** @description The name of the hall. */
            room: string;
            standing: components["schemas"]["Standing"];
        };
        /** @description The events of a session, in their order. */
        History: {
            events: components["schemas"]["EventView"][];
            id: components["schemas"]["OrderId"];
            /** @enum {string} */
            type: "history";
        };
        /** @description Asks for the events of a session, or of a candidate who may not have one. */
        HistoryRequest: {
            /** Format: uuid */
            candidateId?: string;
            id: components["schemas"]["OrderId"];
            /** Format: uuid */
            sessionId?: string;
            /** @enum {string} */
            type: "history";
        };
        /** @description A stored question that an import would change. */
        ImportChange: {
            /**
             * @description The columns whose values would change, by their names in the header row; `secure` and `practice`
             *     are among them.
             */
            fields: string[];
            /** @description Identifier of the question. */
            id: string;
            /**
             * Format: int32
             * @description The number of its row, as the spreadsheet shows it; in files that are no sheets, which question it is.
             */
            row: number;
        };
        /** @description What an import has done, or would do. */
        ImportReport: {
            /** @description Number of new questions. */
            added: number;
            /** @description What a dry run would change in existing questions; the first 1,000. Left out if there is nothing. */
            changes?: components["schemas"]["ImportChange"][];
            /**
             * @description A sentence for each row that was not imported, beginning with `Row <n>:`, or with the file, the line and the
             *     name of a question in a format of another system.
             */
            errors: string[];
            /**
             * Format: int32
             * @description How many rows the sheets hide, which are read like others. Left out if there are none.
             */
            hiddenRows?: number;
            /** @description Headings of columns that were passed over. Left out if there are none. */
            ignoredColumns?: string[];
            /**
             * @description What was left out of questions of other systems, a sentence for each question; the first 1,000. Left out if
             *     there is nothing.
             */
            notes?: string[];
            /**
             * @description Questions of a dry run as they would be stored: the first 100, with 4 MiB together. A picture that is not stored
             *     yet is in its address. Left out if there are none.
             */
            preview?: components["schemas"]["Question"][];
            /** @description `windows-1252` for a text that does not say its encoding and was read as that one; otherwise left out. */
            readAs?: string;
            /** @description Number of questions that were overwritten. */
            updated: number;
        };
        /** @description Puts something on the record of a candidate, or of the watched room. */
        IncidentOrder: {
            /** Format: uuid */
            candidateId?: string;
            id: components["schemas"]["OrderId"];
            /** @description In the proctor's words, such as `device`. */
            kind: string;
            text: string;
            /** @enum {string} */
            type: "incident";
        };
        /** @description Someone who has not signed in yet. */
        InvitedUser: {
            /** @description Shown until an identity provider tells another one. May be left out. */
            name?: string | null;
            role: components["schemas"]["Role"];
        };
        /** @description The statistics of one question. */
        ItemFigures: {
            /**
             * Format: int64
             * @description Sessions that had it.
             */
            attempts: number;
            /**
             * Format: double
             * @description Point-biserial correlation with the rest score; null when it is not defined.
             */
            discrimination: number | null;
            /**
             * @description Sessions by the right option, `A` to `D`, or the right number that each was graded with. There are several if
             *     the key was edited meanwhile: the other figures are by the key of each session.
             */
            gradedBy: {
                [key: string]: number;
            };
            /** @description Its difficulty as measured by live tests; absent with fewer than 30 answers. */
            measured?: components["schemas"]["MeasuredDifficulty"];
            /**
             * Format: int64
             * @description Whole seconds; null when no time is known.
             */
            medianTime: number | null;
            /** @description The share of each option, `A` to `D`, and of `none` for not answered; of `none` alone if the answer is a number. */
            options: {
                [key: string]: number;
            };
            /**
             * Format: double
             * @description Share of right answers.
             */
            pValue: number;
            questionId: string;
            /** @description The most frequent wrong numbers, at most five, the most frequent first; absent if the answer is an option. */
            wrong?: components["schemas"]["WrongNumber"][];
        };
        /** @description A name that was put together from several columns. */
        JoinedName: {
            /** @description The name. */
            name: string;
            /**
             * Format: int32
             * @description The number of its row, as the spreadsheet shows it.
             */
            row: number;
        };
        /**
         * @description The classes whose people come.
         * @example {
         *       "classes": [
         *         "00000000-0000-4000-8000-000000000000"
         *       ]
         *     }
         */
        JoiningClasses: {
            /** @description Their ids. */
            classes: string[];
        };
        /** @description A public key as JSON (RFC 8037). */
        JsonWebKey: {
            /** @description `EdDSA`. */
            alg?: string;
            /** @description `Ed25519`. */
            crv: string;
            /** @description The thumbprint of RFC 7638. */
            kid?: string;
            /** @description `OKP`. */
            kty: string;
            /** @description `sig`. */
            use?: string;
            /** @description The key in base64url. */
            x: string;
        };
        /** @description A list of public keys as JSON (RFC 7517). */
        JsonWebKeys: {
            /** @description The present key first, then those before it, newest first. */
            keys: components["schemas"]["JsonWebKey"][];
        };
        /** @description The keys of a test that students are not told yet, or never. No answer is called right or wrong. */
        KeptAnswers: {
            /**
             * Format: date-time
             * @description When they are told, which is when the template closes, or later, as soon as none of its tests goes on: then this
             *     moment has passed. Null for never.
             */
            until: string | null;
        };
        /**
         * @description Why a command can't count, whoever decides.
         * @enum {string}
         */
        KeptOut: "invalid" | "unknown_question" | "stage_not_reached" | "stage_closed" | "superseded";
        /** @description The correction of a key. */
        KeyCorrection: {
            /** Format: date-time */
            at: string;
            /** @description E-mail of whoever has made it. */
            by: string;
            comment: string;
            /** Format: uuid */
            id: string;
            kind: components["schemas"]["CorrectionKind"];
            nobodyLoses: boolean;
            /** @description The letters of options, or numbers. */
            options: string[];
            /** @description Whether the caller may revert it. The others hold for tests of theirs, but for further ones too. */
            own: boolean;
            progress: components["schemas"]["CorrectionProgress"];
            questionId: string;
            /** Format: date-time */
            revertedAt: string | null;
            /** @description E-mail of whoever has reverted it; null while it holds. */
            revertedBy: string | null;
            scope: components["schemas"]["KeyCorrectionScope"];
            /**
             * Format: int64
             * @description Grows with each change of any correction; `If-Match` names it.
             */
            version: number;
        };
        /** @description Which tests it is about: those of a sitting, of a template, or of a grade that began between two times. */
        KeyCorrectionScope: {
            /** Format: uuid */
            sittingId: string;
        } | {
            /** Format: uuid */
            templateId: string;
        } | {
            /** Format: date-time */
            from: string;
            /** Format: int32 */
            grade: number;
            /**
             * Format: date-time
             * @description The end, which is no part of it.
             */
            to: string;
        };
        /** @description Figures by which a wrong key is found. */
        KeyFigures: {
            /** @description Whether somebody had a form: numbers and letters are those of form A, whichever form a student had. */
            forms: boolean;
            /** @description As in the results. */
            questions: components["schemas"]["QuestionFigures"][];
            /** @description Whether somebody saw options in another order than in the bank, whose letters these are. */
            shuffled: boolean;
        };
        /** @description A wrong answer, and how many gave it. */
        KeyMistake: {
            /** @description The letter, or the number. */
            choice: string;
            /** Format: int64 */
            count: number;
        };
        /** @description The signing key. */
        KeyView: {
            /** @description `whsec_…`. */
            key: string;
        };
        /** @description What would become of one test. */
        LargeChange: {
            /**
             * Format: int32
             * @description The score that it would have.
             */
            after: number;
            /**
             * Format: int32
             * @description The score that it has.
             */
            before: number;
            /**
             * Format: uuid
             * @description The test.
             */
            sessionId: string;
            /** @description The name that it was begun with; may be empty. */
            student: string;
        };
        /** @description The last import of a roster, as long as it can be taken back. */
        LastImport: {
            /** @description Number of candidates who were new. */
            added: number;
            /** Format: date-time */
            at: string;
            /** @description E-mail of who made it. */
            by: string;
            /** @description Number of those who were removed. */
            removed: number;
            /** @description Number of those who were there before. */
            updated: number;
        };
        /** @description An answer that would be another one, or a drawing. */
        LateChange: {
            after: string | null;
            /**
             * Format: date-time
             * @description When the student acted, as the client claims.
             */
            at: string | null;
            /** @description The option, or the number as it was typed; null without one, and of a drawing. */
            before: string | null;
            /** @description `answer` or `drawing`. */
            kind: components["schemas"]["LateCommandKind"];
            /** @description Its place on the paper, from 1. */
            number: number;
            /**
             * @description The letters of its options in the order in which the student saw them, such as `CADB`; absent where they stood
             *     as in the bank. All other letters are those of the bank.
             */
            order?: string;
            questionId: string;
            /** Format: date-time */
            receivedAt: string;
        };
        /** @description A command that came too late. */
        LateCommand: {
            /**
             * Format: date-time
             * @description When the student acted, as the client claims; null if it claims nothing.
             */
            at: string | null;
            /** @description Whether it came by a file. */
            fromFile: boolean;
            /** @description Of a mark and a drawing: whether there is one. */
            isSet?: boolean;
            keptOut: components["schemas"]["KeptOut"] | null;
            /** Format: int32 */
            line: number;
            questionId: string;
            /** Format: date-time */
            receivedAt: string;
            /** @description Of an answer: the option, or the number as it was typed; null if it was cleared, and for other commands. */
            selected: string | null;
            /** Format: int64 */
            seq: number;
            state: components["schemas"]["LateCommandState"];
            /** @description The beginning of what could not be read. */
            text?: string;
            type: components["schemas"]["LateCommandKind"];
        };
        /** @enum {string} */
        LateCommandKind: "answer" | "mark" | "visit" | "drawing" | "eliminate" | "unreadable";
        /** @enum {string} */
        LateCommandState: "pending" | "accepted" | "declined";
        /**
         * @description What is decided.
         * @enum {string}
         */
        LateDecision: "accept" | "decline";
        /** @description Work that came after the end. */
        LateRow: {
            /**
             * Format: int32
             * @description How many of the changes count now.
             */
            accepted: number;
            /**
             * Format: int32
             * @description How many changes came too late and are kept; visits of questions are none, nor is what says the same as
             *     what stands.
             */
            changes: number;
            /**
             * Format: int32
             * @description How many of them were declined.
             */
            declined: number;
            /**
             * Format: date-time
             * @description When that was.
             */
            lastAt: string;
            /**
             * Format: int64
             * @description How many milliseconds after the end the last of them came.
             */
            lateMs: number;
            /**
             * Format: date-time
             * @description Since when the student had no connection at the end, as the server has noted it; null if they had one, or never
             *     had one.
             */
            offlineSince: string | null;
            /**
             * Format: int32
             * @description How many of the changes have come since somebody decided last; all of them if nobody has.
             */
            undecided?: number;
        };
        /**
         * @description What a latecomer loses.
         * @enum {string}
         */
        LateRule: "cut" | "full";
        /** @description Work that came after the end of a test. */
        LateWork: {
            /**
             * Format: date-time
             * @description When the student was first shown the key; null if that has not happened.
             */
            answersSeenAt: string | null;
            /** @description What accepting everything would change in the answers and drawings. */
            changes: components["schemas"]["LateChange"][];
            commands: components["schemas"]["LateCommand"][];
            /** @description What the server has noted of the student's connection, in order. */
            connection: components["schemas"]["ConnectionView"][];
            /** Format: date-time */
            endedAt: string | null;
            late: components["schemas"]["LateRow"] | null;
            /**
             * Format: date-time
             * @description When the results of its sitting were released, so that the key was known from then on; null if they have not
             *     been, and without a sitting.
             */
            releasedAt: string | null;
            score: components["schemas"]["ScoreChange"] | null;
            /** @description How many commands there are: what a decision is made on, for `seen`. */
            seen: number;
            /** Format: uuid */
            sessionId: string;
        };
        /** @description What a link leads to. */
        LinkTarget: {
            /**
             * Format: uuid
             * @description A sitting, by its id.
             */
            id: string;
            /** @enum {string} */
            kind: "sitting";
        } | {
            /**
             * Format: uuid
             * @description A template, by its id.
             */
            id: string;
            /** @enum {string} */
            kind: "template";
        };
        /** @description A list of a template as it is to be. */
        ListByHand: {
            bucket: components["schemas"]["SwapBucket"];
            /** @description All questions of the list, in their order, each once. */
            questionIds: string[];
        };
        /** @description A question of a grade for admins; of a retired one also when, and who has retired it. */
        ListedQuestion: components["schemas"]["Question"] & {
            /** Format: date-time */
            retiredAt?: string;
            /** @description E-mail of the admin. */
            retiredBy?: string;
        };
        /** @description One version. */
        ListedSessionVersion: {
            /**
             * Format: date-time
             * @description Null if it was made in another service, which does not say when.
             */
            at: string | null;
            /** @description E-mail of whoever has made it; null for the server, and for a student who has handed in. */
            by: string | null;
            comment: string | null;
            /** Format: int32 */
            correctAnswers: number;
            /** @description SHA-256 of the result as it is stored, in 64 hexadecimal digits: of the text of its JSON, in UTF-8. */
            digest: string;
            /** @description The mark on the scale of now; absent without one. */
            mark?: components["schemas"]["ResultMark"];
            reason: components["schemas"]["VersionReason"];
            /** Format: int32 */
            score: number;
            /**
             * Format: int32
             * @description From 1.
             */
            version: number;
        };
        /**
         * @description In which order the questions of a list stand when they are drawn.
         * @enum {string}
         */
        ListOrder: "mixed" | "easy-first" | "by-topic";
        /** @description A command, or the message itself, was refused. */
        LiveError: {
            /**
             * Format: date-time
             * @description With `closed`: when the template closed.
             */
            closesAt?: string;
            code: components["schemas"]["LiveErrorCode"];
            /**
             * Format: int32
             * @description The device of that line, by the first line that it was given; absent when it is not known.
             */
            device?: number;
            /**
             * Format: date-time
             * @description With `not_open`: when the doors of the sitting open.
             */
            doorsAt?: string;
            /** @description One sentence for the author of the client. */
            error: string;
            /**
             * @description With `late`, and with `already_submitted` after a proctor's end: whether the command is kept, for staff to
             *     decide about.
             */
            kept?: boolean;
            /**
             * Format: int32
             * @description The newer line that has set the value.
             */
            line?: number;
            /**
             * Format: date-time
             * @description With `not_open` of a template that says so itself: when it opens.
             */
            opensAt?: string;
            /** @description With `superseded_by`, like the next three: the question of the command. */
            questionId?: string;
            /** @description The answer that stands, or null; only if the command was an `answer`. */
            selected?: string | null;
            /**
             * Format: int64
             * @description The number of the command, when it could be read.
             */
            seq?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "error";
        };
        /** @description The body of every error of a live exam. */
        LiveErrorBody: {
            /**
             * Format: date-time
             * @description With `closed`: when the template closed.
             */
            closesAt?: string;
            /** @description The same for programs, such as `unknown_session`. */
            code: components["schemas"]["LiveErrorCode"];
            /**
             * Format: date-time
             * @description With `not_open`: when the doors of the sitting open.
             */
            doorsAt?: string;
            /** @description What is wrong, in one sentence. */
            error: string;
            /**
             * Format: date-time
             * @description With `not_open` of a template that says so itself: when it opens.
             */
            opensAt?: string;
        };
        /** @enum {string} */
        LiveErrorCode: "bad_message" | "not_started" | "already_started" | "invalid_grade" | "invalid_test" | "sign_in_required" | "unknown_session" | "bad_token" | "template_not_found" | "not_open" | "closed" | "not_for_account" | "code_required" | "wrong_code" | "no_attempts_left" | "entry_closed" | "not_expected" | "unknown_question" | "invalid_answer" | "too_large" | "paused" | "not_begun" | "late" | "already_submitted" | "late_work_changed" | "session_changed" | "nothing_late" | "late_accepted" | "file_altered" | "file_of_other_session" | "file_of_other_server" | "file_known" | "superseded_by" | "rate_limited" | "storage_unavailable" | "read_only" | "sitting_not_found" | "unknown_candidate" | "sitting_ended" | "not_watching" | "forbidden" | "id_reused" | "too_little_time" | "nothing_to_undo" | "not_submitted" | "released" | "too_old" | "answers_seen" | "bad_code" | "internal";
        Liveness: {
            status: string;
        };
        /** @description A server that is alive. */
        LivingServer: {
            /**
             * Format: uuid
             * @description Drawn when it was started.
             */
            id: string;
            /**
             * Format: date-time
             * @description When it last said that it is alive.
             */
            seenAt: string;
        };
        /** @description The form of the development sign-in. */
        LocalForm: {
            email?: string;
            name?: string;
            return_to?: string;
        };
        /** @description A question cannot be retired. */
        LockedQuestion: {
            error: string;
            /** @description The names of the templates that have it in their lists, in order; the first 100. */
            templates: string[];
        };
        /** @description The new token. */
        Made: {
            /** Format: uuid */
            id: string;
            /** @description Shown only once. */
            token: string;
        };
        /** @description Tells the code, which is shown once and stored as a hash. */
        MadeAccessCode: {
            /**
             * @description Ten characters with a hyphen in the middle.
             * @example 9F3KT-T2M7X
             */
            code: string;
        };
        /** @description A code that a proctor has made. */
        MadeCode: {
            /**
             * @description Eight characters with a hyphen in the middle.
             * @example K7QM-3X82
             */
            code: string;
            /** Format: date-time */
            expiresAt: string;
        };
        /** @description What may differ from the first sitting. Every field of a new sitting may be given. */
        MakeUp: {
            /** @description The ids of the candidates; those who were absent if it is left out. */
            candidates?: string[] | null;
            /** @description That of the first with ` (make-up)` if it is left out. */
            name?: string | null;
            /**
             * Format: date-time
             * @description If it is left out, the same time on the same day of the first week that lies ahead.
             */
            startsAt?: string | null;
            /**
             * Format: uuid
             * @description That of the first if it is left out.
             */
            templateId?: string | null;
        };
        /** @description The progress of the review, as far as a manager may see it. */
        ManagerStats: components["schemas"]["Progress"] & {
            /** @description Null for admins, who may see all grades. */
            allowedGrades: components["schemas"]["Grade"][] | null;
        };
        /** @description Flags a question for review, or removes the flag. */
        Mark: {
            /**
             * Format: date-time
             * @description As in `answer`.
             */
            at?: string;
            /**
             * Format: int32
             * @description As in `answer`.
             */
            line?: number;
            marked: boolean;
            questionId: string;
            /**
             * Format: int64
             * @description As in `answer`.
             */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "mark";
        };
        /**
         * @description What share of a result a mark is reckoned from.
         * @enum {string}
         */
        MarkBasis: "percent" | "points" | "score";
        /** @description How many tests have a mark. */
        MarkCount: components["schemas"]["ResultMark"] & {
            /** Format: int64 */
            count: number;
        };
        /**
         * @description What is said of some questions from now on.
         * @example {
         *       "ids": [
         *         "g5-001",
         *         "g5-002"
         *       ],
         *       "practice": false
         *     }
         */
        MarkedQuestions: {
            /** @description Each once. */
            ids: string[];
            /** @description Whether anyone may read them with their keys; as it is without it, and with null `PUBLIC_ANSWERS` decides. */
            practice?: boolean | null;
            /** @description Whether they are for exams alone; as it is without it. */
            secure?: boolean | null;
        };
        /** @description A label, and the least that earns it. */
        MarkLabel: {
            /**
             * Format: double
             * @description Per cent with at most two decimals; the score, a whole number, if the scale goes by that.
             */
            from: number;
            /** @description 1 to 24 characters. */
            label: string;
        };
        /**
         * @description What is done with a share that falls between two marks.
         * @enum {string}
         */
        MarkRounding: "nearest" | "up" | "down";
        /** @description A scale of marks: numbers between a worst and a best one, or labels. */
        MarkScale: {
            /** @description What share of a result counts. */
            basis: components["schemas"]["MarkBasis"];
            /**
             * Format: double
             * @description The mark of who has everything right, another one within the same limits.
             */
            best: number;
            /**
             * Format: double
             * @description The worst mark that passes; absent if marks neither pass nor fail.
             */
            pass?: number;
            /** @description What is done between two marks. */
            rounding: components["schemas"]["MarkRounding"];
            /**
             * Format: double
             * @description Between two marks: 1, 0.5, 0.25, 0.1, 0.05 or 0.01.
             */
            step: number;
            /** @enum {string} */
            type: "numbers";
            /**
             * Format: double
             * @description The mark of who has nothing right: -1000 to 1000, and a multiple of `step`.
             */
            worst: number;
        } | {
            /** @description What share of a result counts. */
            basis: components["schemas"]["MarkBasis"];
            /** @description The last is the label of whoever reaches no other. */
            labels: components["schemas"]["MarkLabel"][];
            /** @description The worst label that passes; absent if marks neither pass nor fail. */
            pass?: string;
            /** @enum {string} */
            type: "labels";
        };
        /** @description The measured difficulty of a question, in labels: 1 (easy) to 5 (hard). What lies beyond an end counts as the end. */
        MeasuredDifficulty: {
            /**
             * Format: int32
             * @description Live answers that it is from, at least 30.
             */
            answers: number;
            /** Format: double */
            difficulty: number;
            /**
             * Format: double
             * @description Its standard error, in labels: two of them cover about 95 %.
             */
            error: number;
            /**
             * @description The same by the answers of each school year alone, the earliest first; years with fewer than 30 answers are left
             *     out.
             */
            years: components["schemas"]["YearDifficulty"][];
        };
        /** @description The user who calls. */
        MeView: {
            email: string;
            /** @description Grades that the user may review, watch or sign off: all for admins, none for students. */
            grades: components["schemas"]["Grade"][];
            /** @description Link to a picture, or empty. */
            image: string;
            name: string;
            role: components["schemas"]["Role"];
        };
        /**
         * @description The kind of a test.
         * @enum {string}
         */
        Mode: "standard" | "adaptive";
        /** @description The code, which is valid for two minutes and serves once. A new one replaces it. */
        MoveCode: {
            /**
             * @description Eight characters with a hyphen in the middle.
             * @example K7QM-3X82
             */
            code: string;
            /** Format: date-time */
            expiresAt: string;
            id: components["schemas"]["OrderId"];
            /** Format: uuid */
            sessionId: string;
            /** @enum {string} */
            type: "code";
        };
        /**
         * @description What of the time has changed: the end that nothing moves, the minutes, or the beginning.
         * @enum {string}
         */
        MovedReason: "end" | "minutes" | "start";
        /** @description The session of a code, and a further token of it. */
        MovedView: {
            /**
             * Format: int32
             * @description Of the device that gets the token: it names it in its commands, until `resumed` gives it another.
             */
            line: number;
            /** Format: uuid */
            sessionId: string;
            /**
             * Format: uuid
             * @description Whose questions the new device needs; null if the test has no template, or is a sitting's.
             */
            templateId: string | null;
            token: string;
        };
        /** @description What a request for a token may contain. */
        MoveRequest: {
            /**
             * @description A proctor's code.
             * @example K7QM-3X82
             */
            code?: string | null;
        };
        /** @description What the caller has set the pages to. */
        MyView: {
            /** @description As the pages have stored it; null before they have. */
            view: {
                [key: string]: unknown;
            } | null;
        };
        /**
         * @description A class to make.
         * @example {
         *       "grade": 5,
         *       "name": "5A"
         *     }
         */
        NewClass: {
            grade: components["schemas"]["Grade"];
            /** @description 1 to 200 characters; unique in the grade, whatever the case of its letters. */
            name: string;
        };
        /**
         * @description Gives a deployment a sitting or a template: one of the two.
         * @example {
         *       "deploymentId": "1",
         *       "sittingId": "00000000-0000-4000-8000-000000000000"
         *     }
         */
        NewGrant: {
            /** @description A deployment of the platform, by the platform's name of it. */
            deploymentId: string;
            /** Format: uuid */
            sittingId?: string | null;
            /** Format: uuid */
            templateId?: string | null;
        };
        /**
         * @description A platform to connect by hand. The first four fields are required.
         * @example {
         *       "clientId": "a1B2c3",
         *       "deployments": [
         *         {
         *           "id": "1",
         *           "state": "active"
         *         }
         *       ],
         *       "endpoints": {
         *         "authorization": "https://lms.school.example/mod/lti/auth.php",
         *         "jwks": "https://lms.school.example/mod/lti/certs.php",
         *         "token": "https://lms.school.example/mod/lti/token.php"
         *       },
         *       "issuer": "https://lms.school.example",
         *       "name": "Moodle"
         *     }
         */
        NewPlatform: {
            clientId: string;
            /** @description None if it is left out: the first launch then names one, which waits for an admin. */
            deployments?: components["schemas"]["Deployment"][] | null;
            /** @description Of https, and none in the server's own network, unless the operator allows it. */
            endpoints: components["schemas"]["Endpoints"];
            frameOrigins?: string[] | null;
            grades?: number[] | null;
            /** @description An address, letter by letter as the platform writes it. */
            issuer: string;
            /** @description 1 to 200 characters. */
            name: string;
            scoreForm?: components["schemas"]["ScoreForm"] | null;
            /** @description `false` if it is left out. */
            staffOnlyChoose?: boolean | null;
            tokenAudience?: string | null;
            /** @description `false` if it is left out. */
            trustsEmails?: boolean | null;
        };
        /** @description A question without an id, which the server makes. */
        NewQuestion: {
            /** @description `A` to `D`, and one of the options, or the right number with a decimal point. */
            answer: string;
            /**
             * Format: int32
             * @description 1 to 5.
             */
            difficulty: number;
            /**
             * Format: uuid
             * @description Made by the client for what somebody is writing: pressing save again with it makes no second question.
             */
            draftId?: string | null;
            explanation?: string | null;
            /** @description Whether it keeps the order of its options where options are shuffled. A rule decides without it. */
            fixedOptions?: boolean | null;
            /** @description The ways of writing it that count; all without it. */
            forms?: components["schemas"]["NumberForm"][] | null;
            /**
             * Format: int32
             * @description 1 to 10.
             */
            grade: number;
            /** @description The address of a picture. */
            image?: string | null;
            /** @description What the picture shows, in words. Required with a picture. */
            imageDescription?: string | null;
            language?: components["schemas"]["NumberLanguage"] | null;
            /** @description Two to four of which no two are equal; none for a number. */
            options?: string[] | null;
            /**
             * @description Whether anyone may read it with its key: managers of the grade and admins may say so, and everybody that nobody
             *     may. `PUBLIC_ANSWERS` decides without it.
             */
            practice?: boolean | null;
            question: string;
            /** @description Whether it is for exams alone, which managers of the grade and admins may say. */
            secure?: boolean | null;
            /** @description `written` without it. */
            source?: string | null;
            subtopic?: string | null;
            /** @description Of a number, like the next three: how far it may be from the right one; `0` without it. */
            tolerance?: string | null;
            /**
             * @description `General` without it. One that the grade has in other capitals, or by its name in the other language of the
             *     pages, becomes that one.
             */
            topic?: string | null;
            /** @description `multiple-choice`, also without it, or `number`. */
            type?: string | null;
            /** @description What stands behind the box. */
            unit?: string | null;
        };
        /**
         * @description A sitting to make. Everything but the first three fields may be left out.
         * @example {
         *       "name": "Finals",
         *       "rooms": [
         *         {
         *           "name": "B12",
         *           "proctors": [
         *             "ada@exam.example"
         *           ]
         *         }
         *       ],
         *       "startsAt": "2026-06-01T09:00:00+07:00",
         *       "templateId": "00000000-0000-4000-8000-000000000000"
         *     }
         */
        NewSitting: {
            /**
             * Format: date-time
             * @description Half an hour before the start if it is left out or null.
             */
            doorsAt?: string | null;
            /**
             * Format: date-time
             * @description The hard end.
             */
            endsAt?: string | null;
            /** Format: date-time */
            entryUntil?: string | null;
            late?: components["schemas"]["LateRule"] | null;
            markScale?: components["schemas"]["MarkScale"] | null;
            /** @description 1 to 200 characters. */
            name: string;
            /** @description Whether a proctor begins each room for itself. */
            perRoom?: boolean | null;
            /** @description Whether the calendar has an event with its name, times and rooms, which is kept up to date. */
            publish?: boolean | null;
            /**
             * @description `now`, `held` or a time; `held` if it is left out.
             * @example held
             */
            results?: string | null;
            rooms?: components["schemas"]["SittingRoomFields"][] | null;
            start?: components["schemas"]["StartRule"] | null;
            /** Format: date-time */
            startsAt: string;
            /** Format: uuid */
            templateId: string;
            webhookUrl?: string | null;
        };
        /** @description The token to create. */
        NewToken: {
            /** @description The purpose of the token. */
            name: string;
            role: components["schemas"]["Role"];
        };
        /** @description Ends stage 1 of an adaptive test. Send it when everything before it is saved. */
        Next: {
            /**
             * Format: int32
             * @description As in `answer`.
             */
            line?: number;
            /**
             * Format: int64
             * @description As in `answer`.
             */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "next";
        };
        /** @description A proctor's message. */
        Notice: {
            /** @description The proctor's e-mail address. */
            from: string;
            text: string;
            /** @enum {string} */
            type: "notice";
        };
        /** @description Shows a message to students. */
        NoticeOrder: {
            id: components["schemas"]["OrderId"];
            /** @description A session of the watched room, or `*` for all of them. */
            sessionId: string;
            text: string;
            /** @enum {string} */
            type: "notice";
        };
        /** @description A row, with the number under which its differences come where differences are told. */
        NumberedRow: components["schemas"]["SessionRow"] & {
            /** Format: int32 */
            n?: number;
        };
        /**
         * @description A way of writing a number.
         * @enum {string}
         */
        NumberForm: "decimal" | "fraction" | "mixed";
        /**
         * @description By which language digit groups and decimal signs are read.
         * @enum {string}
         */
        NumberLanguage: "en" | "vi";
        /** @description Somebody of the staff. */
        OfferedProctor: {
            email: string;
            /** @description Empty if nobody has told it. */
            name: string;
        };
        /** @description `{ people }`, by address. */
        OfferedProctors: {
            people: components["schemas"]["OfferedProctor"][];
        };
        /** @description `{ accommodation }`. */
        OneAccommodation: {
            accommodation: components["schemas"]["Accommodation"];
        };
        /** @description `{ candidate }`. */
        OneCandidate: {
            candidate: components["schemas"]["SittingCandidate"];
            /** @description Of a change of times: what it did to the candidate who has entered; absent otherwise. */
            ends?: components["schemas"]["EndsMoved"];
            /**
             * @description Whether the candidate has become somebody else by the change, and so is nobody of a learning platform any more;
             *     absent otherwise.
             */
            letGo?: boolean;
        };
        /** @description `{ class }`. */
        OneClass: {
            class: components["schemas"]["Class"];
        };
        /** @description `{ platform }`. */
        OnePlatform: {
            platform: components["schemas"]["PlatformView"];
        };
        /** @description `{ sitting }`. */
        OneSitting: {
            /** @description Of a change of times: what it did to those who have entered; absent otherwise. */
            ends?: components["schemas"]["EndsMoved"];
            sitting: components["schemas"]["Sitting"];
        };
        /** @description `{ template }`. */
        OneTemplate: {
            template: components["schemas"]["TestTemplate"];
        };
        /**
         * @description Ends the tokens of all devices of a student but the one at work, and the codes for further ones. In a sitting the
         *     candidate gets a new access code.
         */
        OnlyThisDeviceOrder: {
            id: components["schemas"]["OrderId"];
            /** Format: uuid */
            sessionId: string;
            /** @enum {string} */
            type: "only_this_device";
        };
        /** @description Lets the time go on, takes the last order for the same target back, or ends the test now. */
        Order: {
            id: components["schemas"]["OrderId"];
            /** @description A session of the watched room, or `*` for all of them. */
            sessionId: string;
            /** @enum {string} */
            type: "unpause" | "undo" | "finish";
        };
        /** @description The order is stored. */
        OrderDone: {
            /**
             * @description Of `only_this_device`: the candidate's new access code. A repeat is answered without it when it is void.
             * @example K7QM-3X82
             */
            code?: string;
            /**
             * Format: int64
             * @description How many sessions, candidates or rooms it has changed.
             */
            count: number;
            id: components["schemas"]["OrderId"];
            /** @enum {string} */
            type: "done";
            /** @description The first hundred of them, with the reason. */
            unchanged?: components["schemas"]["UnchangedSession"][];
            /**
             * Format: int64
             * @description How many sessions it was for and has left as they were; absent if none, like the next.
             */
            unchangedCount?: number;
            /** @description Of `undo`: the name of the order that was taken back. */
            undone?: string;
        };
        /** @description The order is carried out. */
        OrderedView: {
            /**
             * @description Of `only_this_device`: the candidate's new access code. A repeat is answered without it when it is void.
             * @example K7QM-3X82
             */
            code?: string;
            /**
             * Format: int64
             * @description The sessions, candidates or rooms that were changed.
             */
            count: number;
            /** @description The first hundred of them, with the reason. */
            unchanged?: components["schemas"]["UnchangedSession"][];
            /**
             * Format: int64
             * @description How many sessions it was for and has left as they were; absent if none, like the next.
             */
            unchangedCount?: number;
            /** @description Of `undo`: the name of the order that was taken back. */
            undone?: string;
        };
        /** @description An order, or the message itself, was refused. */
        OrderError: {
            code: components["schemas"]["LiveErrorCode"];
            /** @description One sentence for the author of the client. */
            error: string;
            /** @description The order's id, if the error is about one. */
            id?: components["schemas"]["OrderId"];
            /** @enum {string} */
            type: "error";
        };
        /** @description Chosen by the client and repeated in the answer: 1 to 64 characters, or a whole number. */
        OrderId: string | number;
        /**
         * @description What an order does.
         * @enum {string}
         */
        OrderKind: "extend" | "pause" | "unpause" | "undo" | "finish" | "notice" | "only_this_device" | "reopen";
        /**
         * @description An order of a proctor. A repeat of the same order with the same `id` within an hour is done once.
         * @example {
         *       "id": "5b1c8d0e-6f5e-4c8e-9c59-5a3f8f5a2f10",
         *       "minutes": 5,
         *       "type": "extend"
         *     }
         */
        OrderRequest: {
            /** @description Of `reopen`: also for a student who has been shown the right options. */
            force?: boolean | null;
            id: components["schemas"]["OrderId"];
            /**
             * Format: int32
             * @description Of `extend`: -120 to 120, and not 0. Of `reopen`, which need not have any: 1 to 120.
             */
            minutes?: number | null;
            /** @description Of `notice`: 1 to 500 characters; of `pause`, which need not have one: 1 to 200. */
            text?: string | null;
            type: components["schemas"]["OrderKind"];
        };
        /** @description A time in which no server could save. */
        Outage: {
            /** Format: date-time */
            from: string;
            /** Format: int64 */
            milliseconds: number;
            /** Format: date-time */
            to: string;
        };
        /**
         * @description What a candidate may do with a sitting now.
         * @enum {string}
         */
        OwnAction: "wait" | "enter" | "resume" | "result" | "nothing";
        /** @description The attempts of the caller that go on. */
        OwnAttemptsView: {
            attempts: components["schemas"]["OwnAttemptView"][];
        };
        /** @description An attempt of the caller. */
        OwnAttemptView: {
            /** Format: date-time */
            deadline: string;
            grade: components["schemas"]["Grade"];
            mode: components["schemas"]["Mode"];
            /** Format: uuid */
            sessionId: string;
            /** Format: date-time */
            startedAt: string;
            /** @description `active` or `paused`. */
            state: components["schemas"]["SessionState"];
            /** Format: uuid */
            templateId: string | null;
        };
        /** @description A sitting as one of its candidates sees it. */
        OwnSitting: {
            /**
             * @description Part of the address of its page: `/s/{code}`.
             * @example K7PQ2
             */
            code: string;
            /**
             * Format: date-time
             * @description From when they may enter.
             */
            doorsAt: string;
            /** Format: uuid */
            id: string;
            /** @description What they may do now. */
            may: components["schemas"]["OwnAction"];
            /**
             * Format: double
             * @description The minutes that they have, extra time included.
             */
            minutes: number;
            name: string;
            /** @description Whether results may be seen. */
            released: boolean;
            room: string | null;
            seat: string | null;
            /** Format: uuid */
            sessionId: string | null;
            /**
             * Format: date-time
             * @description When it is to start for them.
             */
            startsAt: string;
            /** @description How far the candidate has come. */
            state: components["schemas"]["CandidateState"];
        };
        /** @description `{ sittings }`: those that come next first, then those that are over, the last one first. */
        OwnSittings: {
            sittings: components["schemas"]["OwnSitting"][];
        };
        /**
         * @description A language in which the pages are written.
         * @enum {string}
         */
        PageLanguage: "en" | "vi";
        /** @description What all pages say now. */
        PageStatus: {
            message: components["schemas"]["StatusMessage"];
            /** @description Whether the server only reads: whatever would change something is answered 503 `read_only`. */
            readOnly: boolean;
        };
        /** @description How the questions of a finished test compare with those of today. */
        PaperNotes: {
            /** @description Ids of questions that the bank has otherwise now. */
            changed: string[];
            /** @description The form that was sat, `A` to `H`; absent for a test without forms. */
            form?: string;
            /** @description Where the template of the test keeps its keys from the reader; absent where it does not. */
            keptAnswers?: components["schemas"]["KeptAnswers"];
            /**
             * @description Of the questions whose options the student saw in another order than they stand here, by id: the letters in that
             *     order, so that with `CADB` option C was the first, called A. Absent if there are none.
             * @example {
             *       "g5-001": "CADB"
             *     }
             */
            optionOrder?: {
                [key: string]: string;
            };
            /** @description Ids of questions that the bank has no longer. */
            removed: string[];
            /**
             * @description Ids of questions that were changed after a test of an earlier release, which did not keep what was asked: their
             *     texts are those of the bank.
             */
            replaced: string[];
            withheld: components["schemas"]["WithheldQuestions"] | null;
        };
        /** @description A proctor has paused the test. */
        Paused: {
            /** Format: date-time */
            deadline: string;
            /**
             * Format: int64
             * @description The length of the pauses that have ended, which are part of the deadline.
             */
            pausedMs: number;
            /** Format: int64 */
            remainingMs: number;
            /** Format: date-time */
            serverTime: string;
            state: components["schemas"]["SessionState"];
            /** @description The proctor's word for why, such as "Fire alarm". */
            text?: string;
            /**
             * Format: int64
             * @description Grows with each change of what the deadline is made of: what comes with a lower one than is known is old.
             */
            timeVersion: number;
            /** @enum {string} */
            type: "paused";
        };
        /** @description Stops the time, of a student or of everyone. */
        PauseOrder: {
            id: components["schemas"]["OrderId"];
            /** @description A session of the watched room, or `*` for all of them and for those who come later. */
            sessionId: string;
            /** @description What students are shown, such as "Fire alarm". */
            text?: string;
            /** @enum {string} */
            type: "pause";
        };
        /** @description The result of the commands of one request. */
        PerformedView: {
            /** Format: date-time */
            deadline: string;
            /**
             * Format: int64
             * @description The length of the pauses that have ended, which are part of the deadline.
             */
            pausedMs: number;
            /** Format: int64 */
            remainingMs: number;
            /** @description `stage`, `submitted` and `error` messages. */
            replies: components["schemas"]["Reply"][];
            /**
             * Format: int64
             * @description The highest number of this request that was accepted; all that was accepted is committed. 0 if nothing was.
             */
            saved: number;
            state: components["schemas"]["SessionState"];
            /**
             * Format: int64
             * @description Grows with each change of what the deadline is made of.
             */
            timeVersion: number;
        };
        /**
         * @description The fields of a platform to change. The others stay, and so do the issuer and the client id, by which it is
         *     known.
         * @example {
         *       "grades": [
         *         5,
         *         6
         *       ],
         *       "state": "active"
         *     }
         */
        PlatformChange: {
            /** @description All of them. */
            deployments?: components["schemas"]["Deployment"][] | null;
            endpoints?: components["schemas"]["Endpoints"] | null;
            frameOrigins?: string[] | null;
            grades?: number[] | null;
            name?: string | null;
            scoreForm?: components["schemas"]["ScoreForm"] | null;
            staffOnlyChoose?: boolean | null;
            state?: components["schemas"]["PlatformState"] | null;
            /** @description Null for the address of the tokens. */
            tokenAudience?: string | null;
            trustsEmails?: boolean | null;
        };
        /** @description `{ platforms }`. */
        PlatformList: {
            platforms: components["schemas"]["PlatformView"][];
        };
        /**
         * @description Whether launches of a platform are taken.
         * @enum {string}
         */
        PlatformState: "pending" | "active" | "blocked";
        /** @description A learning platform. */
        PlatformView: {
            /** @description By which it knows this server. */
            clientId: string;
            /** Format: date-time */
            createdAt: string;
            deployments: components["schemas"]["Deployment"][];
            endpoints: components["schemas"]["Endpoints"];
            /** @description Origins that may frame the pages in which exams are chosen, beside the platform's own. */
            frameOrigins: string[];
            /** @description The grades that its instructors get. */
            grades: components["schemas"]["Grade"][];
            /** Format: uuid */
            id: string;
            /** @description Who issues its tokens. */
            issuer: string;
            name: string;
            /** @description What it said when it registered itself; absent of one that was connected by hand. */
            registration?: components["schemas"]["RegistrationFacts"];
            scoreForm: components["schemas"]["ScoreForm"];
            /** @description Whether its instructors only choose exams here, and see none with the rights of their platform. */
            staffOnlyChoose: boolean;
            state: components["schemas"]["PlatformState"];
            /** @description The audience of requests for tokens; null for the address of the tokens. */
            tokenAudience: string | null;
            /** @description Whether a learner is joined to a roster's row by the e-mail that the platform tells. */
            trustsEmails: boolean;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description The version before, as a reader who may see the result is told it. */
        PreviousVersion: {
            /** @description Its mark, by the scale of now; absent without one. */
            mark?: components["schemas"]["ResultMark"];
            /**
             * Format: int32
             * @description Its score, 200 to 800.
             */
            score: number;
            /**
             * Format: int32
             * @description Its number.
             */
            version: number;
        };
        /** @description A sitting as the proctor of a room sees it. */
        ProctoredSitting: {
            /** @description Whether time counts in all of their rooms; each candidate begins on their own where `start` is `own`. */
            begun: boolean;
            /** Format: date-time */
            begunAt: string | null;
            /**
             * @description Part of the address of its page: `/s/{code}`.
             * @example K7PQ2
             */
            code: string;
            /** Format: date-time */
            endedAt: string | null;
            /** Format: uuid */
            id: string;
            name: string;
            /** @description Whether they begin their rooms. */
            perRoom: boolean;
            /** @description The names of their rooms. */
            rooms: string[];
            /** @description The same with what is to come there. */
            roomStarts: components["schemas"]["RoomStart"][];
            /** @description What was ordered for everyone in the sitting. */
            standing: components["schemas"]["Standing"];
            /** @description When time begins to count: `clock`, `proctor` or `own`. */
            start: components["schemas"]["StartRule"];
            /** Format: date-time */
            startsAt: string;
            /** @description How far it has come. A beginning or an end by the clock may be written down later. */
            state: components["schemas"]["SittingState"];
        };
        /** @description `{ sittings }`, those that start last first. */
        ProctoredSittings: {
            sittings: components["schemas"]["ProctoredSitting"][];
        };
        /** @description The progress of all grades together and of each. */
        Progress: {
            /** @description In ascending order of the grades. */
            perGrade: components["schemas"]["GradeProgress"][];
            /** Format: int64 */
            totalApproved: number;
            /** Format: int64 */
            totalFlagged: number;
            /**
             * Format: int64
             * @description Neither approved nor flagged.
             */
            totalPending: number;
            /** Format: int64 */
            totalQuestions: number;
        };
        /** @description The service that has the assessment data. */
        ProviderHealth: {
            /** @description `local` or `api`. */
            kind: string;
            /** @description False while calls to it fail. */
            ok: boolean;
        };
        /** @description What the caller sets the pages to. */
        PutMyView: {
            /** @description Any object of 4 KiB at most. It takes the place of what was stored, and comes back as it is. */
            view: {
                [key: string]: unknown;
            };
        };
        /** @description What all pages are to say. Two empty texts take it away. */
        PutStatus: {
            /** @description One line of plain text in English, of 300 characters at most; may be empty. */
            en: string;
            /** @description The same in Vietnamese. Where one is empty, its readers see the other. */
            vi: string;
        };
        /** @description The fields of a question. */
        Question: {
            /** @description The right option, `A` to `D`, or the right number with a decimal point. */
            answer: string;
            /**
             * Format: int32
             * @description 1 to 5.
             */
            difficulty: number;
            /** @description How to find the answer. */
            explanation: string;
            /** @description Whether it keeps the order of its options where options are shuffled. */
            fixedOptions?: boolean;
            /** @description The ways of writing a number that count. */
            forms?: components["schemas"]["NumberForm"][];
            /**
             * Format: int32
             * @description 1 to 10.
             */
            grade: number;
            /** @description Identifier of the question. */
            id: string;
            /** @description Link to a picture; empty when there is none. */
            image: string;
            /** @description What the picture shows, in words for those who can't see it; empty when nobody has described it. */
            imageDescription?: string;
            /** @description How digit groups and decimal signs of a number are read. */
            language?: components["schemas"]["NumberLanguage"];
            /** @description The texts of the options, A to D by position; none if the answer is a number. */
            options: string[];
            /** @description The text of the question. */
            question: string;
            /** @description Where the question comes from. */
            source: string;
            /** @description A part of the topic. */
            subtopic: string;
            /** @description How far a number may be from the right one. This and the next three are there if the answer is a number. */
            tolerance?: string;
            /** @description The topic, such as `Fractions`. */
            topic: string;
            /** @description `multiple-choice` or `number`. */
            type: string;
            /** @description What stands behind the box for a number; may be empty. */
            unit?: string;
        };
        /** @description How many questions each list of a template has. */
        QuestionCounts: {
            /** @description Of the first list of an adaptive template. */
            session1?: number;
            /** @description Of its second list for each band. */
            session2?: {
                [key: string]: number;
            };
            /** @description Of a standard template. */
            standard?: number;
        };
        /** @description What is wrong with one field of a question. */
        QuestionFault: {
            /** @description The field's name in the body. */
            field: string;
            message: string;
        };
        /** @description Why a question is refused. */
        QuestionFaults: {
            /** @description All that is wrong, in one sentence. */
            error: string;
            /** @description The same, one by one; absent where nothing can be read of the question. */
            faults?: components["schemas"]["QuestionFault"][];
        };
        /** @description What was answered to one question, of all together. */
        QuestionFigures: {
            /**
             * Format: int64
             * @description Tests that had it.
             */
            asked: number;
            /** @description Whether its key was corrected after the test. */
            corrected: boolean;
            /**
             * Format: double
             * @description From -1 to 1, how well the question tells strong students from weak ones; null where all did equally well.
             */
            discrimination: number | null;
            /**
             * @description The form whose number that is, if form A does not have the question; absent otherwise.
             * @example B
             */
            form?: string;
            id: string;
            /** @description What was chosen or typed and was not right; of numbers those that most have given. */
            mistakes: components["schemas"]["KeyMistake"][];
            /** @description Its place on the paper, as in the results. */
            number: number;
            /** Format: int64 */
            right: number;
            /**
             * Format: int32
             * @description 1 or 2; null of a grade.
             */
            stage: number | null;
            /** @description `multiple-choice` or `number`. */
            type: string;
        };
        /** @description A review as JSON, under its question's id; for a question that was never reviewed only the status. */
        QuestionReview: {
            /** @description A note; may be empty. */
            note?: string;
            /**
             * Format: date-time
             * @description When it was decided; ISO 8601.
             */
            reviewedAt?: string;
            /** @description The reviewer's e-mail. */
            reviewedBy?: string;
            /** @description The reviewer's name at that time. */
            reviewedByName?: string;
            /** @description `approved`, `flagged` or `pending`. */
            status: components["schemas"]["ReviewStatus"];
        };
        /** @description The questions of a grade and their reviews. */
        QuestionsWithReviews: {
            /**
             * @description The names of those who can approve them: the other reviewers and managers of the grade. Every other admin can
             *     too. Left out if there are none, and without `own`.
             */
            approvers?: string[];
            /** @description The ids of those that the caller has written here, and so does not approve. Left out if there are none. */
            own?: string[];
            questions: components["schemas"]["Question"][];
            /** @description One entry for each question, by id. */
            reviews: {
                [key: string]: components["schemas"]["QuestionReview"];
            };
        };
        /**
         * @description The types of questions that are chosen from.
         * @enum {string}
         */
        QuestionTypes: "multiple-choice" | "number" | "all";
        /** @description What the server needs: each is `ok`, or one word for what is wrong. */
        Readiness: {
            /** @description `unwritable`: it can be read, but nothing has been stored for seconds. Its disk may be full, or it is read only. */
            database: string;
            migrations: string;
            /** @description Whether the server only reads (`READ_ONLY`). It is ready then, and saves nothing. */
            readOnly: boolean;
            /** @description `off` without `REDIS_URL`. The server is ready without Redis, only slower. */
            redis: string;
            status: string;
        };
        /** @description A part of the sealed paper is there, and has been verified. One for each part. */
        Ready: {
            /** Format: int64 */
            seq: number;
            /** @description Of the sealed bytes, in hexadecimal digits. */
            sha256: string;
            /** @enum {string} */
            type: "ready";
        };
        /** @description A receipt of what was saved: the answer to `receipt`. */
        Receipt: {
            /**
             * Format: date-time
             * @description When this was so.
             */
            at: string;
            /** @description A compact JWS: `header.payload.signature`. */
            receipt: string;
            /**
             * Format: int64
             * @description The highest number of a command that had set a value by then.
             */
            seq: number;
            /** @enum {string} */
            type: "receipt";
        };
        /** @description Asks for a receipt of what is saved, at most once a minute for each session. */
        ReceiptRequest: {
            /** @enum {string} */
            type: "receipt";
        };
        ReceiveProctorFrame: components["schemas"]["Watch"] | components["schemas"]["View"] | components["schemas"]["Order"] | components["schemas"]["PauseOrder"] | components["schemas"]["ExtendOrder"] | components["schemas"]["NoticeOrder"] | components["schemas"]["OnlyThisDeviceOrder"] | components["schemas"]["ReopenOrder"] | components["schemas"]["BeginOrder"] | components["schemas"]["AttendanceOrder"] | components["schemas"]["IncidentOrder"] | components["schemas"]["HistoryRequest"] | components["schemas"]["CodeRequest"];
        ReceiveStudentFrame: components["schemas"]["Start"] | components["schemas"]["Resume"] | components["schemas"]["Answer"] | components["schemas"]["Mark"] | components["schemas"]["Eliminate"] | components["schemas"]["Enter"] | components["schemas"]["Ready"] | components["schemas"]["Visit"] | components["schemas"]["Drawing"] | components["schemas"]["Next"] | components["schemas"]["Submit"] | components["schemas"]["Sync"] | components["schemas"]["Focus"] | components["schemas"]["TroubleReport"] | components["schemas"]["ReceiptRequest"];
        /** @description Redis. */
        RedisHealth: {
            /** @description Whether `REDIS_URL` is set. */
            configured: boolean;
            ok: boolean;
        };
        /** @description What a platform said of itself when it registered. */
        RegistrationFacts: {
            /** @description Its product, such as `moodle`. */
            product?: string;
            /** @description The scopes that it has granted. */
            scopes: string[];
            /** @description The version of the product. */
            version?: string;
        };
        /** @description The sitting, and whom its release reaches. */
        ReleasedSitting: {
            /**
             * Format: int64
             * @description How many of the finished tests have still to follow a corrected key, which takes seconds as a rule. The release
             *     waits for them, so that nobody is told a score that changes at once. Those of a correction that was made or
             *     taken back more than an hour ago are not counted, and not waited for.
             */
            following: number;
            /**
             * @description The names of other sittings of the same template in which somebody is still to sit its paper, those first that
             *     start first: 20 at most. Whoever sees their results knows the paper.
             */
            neededBy: string[];
            /**
             * Format: int64
             * @description How many finished tests.
             */
            reaches: number;
            sitting: components["schemas"]["Sitting"];
            /**
             * Format: int64
             * @description How many candidates have not entered and begin later, and would be shut out.
             */
            toCome: number;
            /**
             * Format: int64
             * @description How many of the finished tests have work that came after their end and about which nobody has decided since it
             *     came. After the release none of them can be reopened.
             */
            undecided: number;
        };
        /** @description Lets a test that has ended go on, for what was left when it ended and `minutes` beside it. */
        ReopenOrder: {
            /** @description Also for a student who has been shown the right options. */
            force?: boolean;
            id: components["schemas"]["OrderId"];
            /** Format: int32 */
            minutes?: number;
            /** Format: uuid */
            sessionId: string;
            /** @enum {string} */
            type: "reopen";
        };
        /** @description What a command brought beside being saved. */
        Reply: components["schemas"]["Stage"] | components["schemas"]["Submitted"] | components["schemas"]["LiveError"];
        /** @description The questions of a finished test. */
        ReportQuestions: components["schemas"]["PaperNotes"] & {
            /** @description In the order of the result's answers, as they were asked. A question of which no text is known is left out. */
            questions: components["schemas"]["DeliveredQuestion"][];
        };
        /** @description `{ queued }`. */
        ResentScores: {
            /** @description Scores that are sent again. */
            queued: number;
        };
        /** @description A planned stop of the server. The socket is closed with 1012: reconnect after a random delay of 0 to 5 s. */
        Restarting: {
            /** @enum {string} */
            type: "restarting";
        };
        /** @description Whose result it is. */
        ResultCandidate: {
            email?: string;
            externalId?: string;
            /**
             * @description The form that they sit, `A` to `H`; absent for a template without forms.
             * @example B
             */
            form?: string;
            /** Format: uuid */
            id: string;
            name: string;
            room: string | null;
            seat: string | null;
        };
        /** @description What a result is called on a scale. */
        ResultMark: {
            /** @description Whether it passes; absent if the scale does not say what passes. */
            passed?: boolean;
            /**
             * @description A label, or a number with as many decimals as the step of its scale has, behind a point.
             * @example 7.5
             */
            text: string;
        };
        /** @description A question with its key, and what was answered. */
        ResultQuestion: {
            /** @description Options or numbers that it has made right too. */
            alsoCorrect: string[];
            /** Format: int64 */
            answered: number;
            /**
             * Format: int64
             * @description Tests that had it.
             */
            asked: number;
            /** @description Whether the texts are those of the bank of today, and not those of the newest test, which were not kept. */
            changed: boolean;
            /** @description How often each option was chosen, by letter; empty where a number is asked for. */
            chosen: {
                [key: string]: number;
            };
            /** @description The right option or number, by which the newest test was graded. */
            correct: string | null;
            correction: components["schemas"]["CorrectionKind"] | null;
            /** Format: int32 */
            difficulty: number | null;
            /**
             * Format: double
             * @description From -1 to 1, how well the question tells strong students from weak ones; null where all did equally well.
             */
            discrimination: number | null;
            /** @description Whether the bank has other texts now, or the question no longer. */
            edited: boolean;
            /**
             * @description The form whose number that is, if form A does not have the question; absent otherwise.
             * @example B
             */
            form?: string;
            /**
             * @description Tests by the right option or number that each was graded with. There are several if the key was edited
             *     meanwhile: what is right is by the key of each test.
             */
            gradedBy: {
                [key: string]: number;
            };
            id: string;
            /** @description Address of a picture; empty if there is none. */
            image: string;
            /** @description What the picture shows, in words; empty if nobody has described it. */
            imageDescription: string;
            /** @description How digit groups and decimal signs of a number are read; like the unit only where a number is asked for. */
            language?: components["schemas"]["NumberLanguage"];
            /**
             * Format: int64
             * @description Whole seconds; null when no time is known.
             */
            medianTime: number | null;
            /**
             * @description Its place on the paper of the newest test in form A that has it, from 1, or in the list of the template; of a
             *     grade its place in this list.
             */
            number: number;
            /** @description The texts by letter; empty where a number is asked for. */
            options: {
                [key: string]: string;
            };
            question: string;
            /** Format: int64 */
            right: number;
            /**
             * Format: int32
             * @description 1 or 2; null of a grade, where tests differ in it.
             */
            stage: number | null;
            /** @description Like the texts that follow, as the newest test asked it; empty if nothing of it is known. */
            topic: string;
            /** @description `multiple-choice` or `number`. */
            type: string;
            /** @description What stands behind the box for a number; may be empty. */
            unit?: string;
            /** @description The at most five wrong numbers that most have given, the most frequent first; only where a number is asked for. */
            wrong?: components["schemas"]["WrongNumber"][];
        };
        /** @description Of what there are results. */
        ResultSources: {
            /** @description Those of which somebody has handed in a test. */
            grades: components["schemas"]["SourceGrade"][];
            /** @description Those whose doors have opened: what comes next first, then those that have ended, the last one first. */
            sittings: components["schemas"]["SourceSitting"][];
            /** @description Those of which somebody has handed in a test, the last changed first. */
            templates: components["schemas"]["SourceTemplate"][];
        };
        /** @description What the results are of. */
        ResultsSubject: {
            grades: components["schemas"]["Grade"][];
            /** @description Of the sitting or the template; of a grade its number. */
            id: string;
            kind: components["schemas"]["SubjectKind"];
            /** @description Empty for a grade. */
            name: string;
        };
        /** @description Takes a session over on this socket. */
        Resume: {
            /**
             * Format: int32
             * @description The line that this device has, 0 for none yet: it keeps it unless another device has come since. Without it the
             *     token tells the device.
             */
            line?: number;
            /** Format: uuid */
            sessionId: string;
            /** @description The secret that `started` has given. */
            token: string;
            /** @enum {string} */
            type: "resume";
        };
        /** @description A session as it is now. */
        Resumed: {
            /** @description The questions that the student has chosen on, marked, crossed out options of, or visited. */
            answers: components["schemas"]["SavedAnswer"][];
            band: components["schemas"]["Band"] | null;
            /** @description The one that the student may use; absent without any. */
            calculator?: components["schemas"]["Calculator"];
            /** Format: date-time */
            deadline: string;
            /** @description From question id to drawing. */
            drawings: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
            /** Format: int32 */
            durationMinutes: number;
            /** @description Which form of the test it is, `A` to `H`; absent where there is one alone. */
            form?: string;
            /** Format: int32 */
            grade: number;
            /** @description True while the result is held; absent otherwise. */
            held?: boolean;
            /**
             * @description The keys of the parts that are open: base64 of 32 bytes. Absent after the end, since others may still have to
             *     write the paper.
             */
            keys?: {
                [key: string]: string;
            };
            /** @description What a file with late work is encrypted for: a public RSA key, as SPKI in base64. */
            lateKey?: string;
            /**
             * Format: int32
             * @description Of this device: it names it in its commands from now on.
             */
            line: number;
            mode: components["schemas"]["Mode"];
            /** @description The student's, as proctors see it. */
            name: string | null;
            /**
             * @description From question id to the letters of its options in the order in which the student sees them, such as `CADB`: what
             *     stands first is C. Only questions whose options stand in another order than in the bank; absent without any.
             *     Every letter that is sent or received is that of the bank.
             */
            optionOrder?: {
                [key: string]: string;
            };
            /**
             * Format: int64
             * @description The length of the pauses that have ended, which are part of the deadline.
             */
            pausedMs: number;
            /** @description The proctor's word for why the test is paused. */
            pauseText?: string;
            /** @description The questions of this stage, in their order. */
            questionIds: string[];
            /** @description Why the test is over; only when it is submitted. */
            reason?: components["schemas"]["EndReason"];
            /** Format: int64 */
            remainingMs: number;
            /** @description The link to the report; only when the test is submitted. */
            reportUrl?: string;
            sealed?: components["schemas"]["SealedPartView"][];
            /**
             * Format: int64
             * @description The highest number of a command that is saved. Number on from here.
             */
            seq: number;
            /** Format: date-time */
            serverTime: string;
            /** Format: uuid */
            sessionId: string;
            /**
             * Format: uuid
             * @description Only in a sitting, like the next two.
             */
            sittingId?: string;
            /** Format: int32 */
            stage: number;
            /**
             * Format: int32
             * @description 2 for an adaptive test.
             */
            stages: number;
            /** Format: date-time */
            startedAt: string;
            state: components["schemas"]["SessionState"];
            /**
             * Format: int64
             * @description Grows with each change of what the deadline is made of: what comes with a lower one than is known is old.
             */
            timeVersion: number;
            /** @description The name of the sitting. */
            title: string | null;
            /** @description The secret of this session: who has it can go on with the test. */
            token: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "resumed";
        };
        /** @description A reviewer whose decisions are current. */
        ReviewerProgress: {
            /** Format: int64 */
            approvedCount: number;
            email: string;
            /** Format: int64 */
            flaggedCount: number;
            name: string;
            /**
             * Format: int64
             * @description Approved or flagged.
             */
            reviewedCount: number;
        };
        /**
         * @description A reviewer's decision on a question.
         * @enum {string}
         */
        ReviewStatus: "approved" | "flagged" | "pending";
        /**
         * @description What a signed-in person may do.
         * @enum {string}
         */
        Role: "student" | "reviewer" | "manager" | "admin";
        /** @description A room by its grade, its template, or its sitting and the name of a room there. */
        Room: {
            /** Format: int32 */
            grade?: number;
            room?: string;
            /** Format: uuid */
            sittingId?: string;
            /** Format: uuid */
            templateId?: string;
        };
        /** @description What is counted in the whole room. */
        RoomCounts: {
            /**
             * Format: int32
             * @description Rows with an open socket.
             */
            connected: number;
            /** @description For each question how many are at it, and how many have answered it. */
            questions: number[][];
            /** Format: int32 */
            rows: number;
            /** @description From state to the number of rows in it. */
            states: {
                [key: string]: number;
            };
            /**
             * Format: int32
             * @description Rows that say how far they are.
             */
            withProgress: number;
        };
        /** @description What every message about a room begins with. */
        RoomHead: {
            /** @description Whether time counts for those without times of their own. */
            begun?: boolean;
            /** @description Where the whole sitting is watched: the rooms in which something was ordered for everyone; absent without any. */
            halls?: components["schemas"]["HallStanding"][];
            /** @description Times of the last half hour in which nothing could be saved; absent without any. */
            outages?: components["schemas"]["Outage"][];
            /** @description Whether other servers cannot be heard at the moment. */
            partial: boolean;
            /** @description Whether the proctors of each room begin it. */
            perRoom?: boolean;
            room: components["schemas"]["Room"];
            /** Format: date-time */
            serverTime: string;
            /** @description The standing of the whole sitting, where one of its rooms is watched. */
            sitting?: components["schemas"]["Standing"];
            /** @description Of what is watched. */
            standing: components["schemas"]["Standing"];
            /** @description The start of the sitting: `clock`, `proctor` or `own`. It and the next five come in rooms of sittings only. */
            start?: components["schemas"]["StartRule"];
            /**
             * Format: date-time
             * @description As planned.
             */
            startsAt?: string;
        };
        /**
         * @description What an order for a room does. Rooms of sittings take those after `notice` too.
         * @enum {string}
         */
        RoomOrderKind: "extend" | "pause" | "unpause" | "undo" | "finish" | "notice" | "begin" | "present" | "absent" | "admit" | "incident";
        /**
         * @description An order of a proctor for a room. A repeat of the same order with the same `id` within an hour is done once.
         * @example {
         *       "id": "5b1c8d0e-6f5e-4c8e-9c59-5a3f8f5a2f10",
         *       "minutes": 5,
         *       "type": "extend"
         *     }
         */
        RoomOrderRequest: {
            /**
             * @description Of `present`, `absent` and `admit`: a candidate, or `*` for everyone in the room whom it can mean. Of
             *     `incident`: a candidate, if it does not concern the whole room.
             */
            candidateId?: string | null;
            id: components["schemas"]["OrderId"];
            /** @description Of `incident`: 1 to 50 characters, such as `device`. */
            kind?: string | null;
            /**
             * Format: int32
             * @description Of `extend`: -120 to 120, and not 0.
             */
            minutes?: number | null;
            /** @description Of `notice`: 1 to 500 characters; of `incident`: 1 to 1,000; of `pause`, which need not have one: 1 to 200. */
            text?: string | null;
            type: components["schemas"]["RoomOrderKind"];
        };
        /** @description The progress of rows in view, at most four times a second. */
        RoomProgress: {
            differences: components["schemas"]["RowDifference"][];
            /** Format: date-time */
            serverTime: string;
            /** @enum {string} */
            type: "progress";
        };
        /** @description When time begins to count in a room. */
        RoomStart: {
            /**
             * Format: date-time
             * @description Since when time counts there; null before that.
             */
            begunAt: string | null;
            name: string;
            /** @description What was ordered for everyone there. */
            standing: components["schemas"]["Standing"];
            /**
             * Format: date-time
             * @description As planned.
             */
            startsAt: string;
        };
        /** @description All sessions of the room, in parts of 500. */
        Roster: components["schemas"]["RoomHead"] & {
            /** @description Whether this is the last part. */
            complete: boolean;
            /**
             * Format: int64
             * @description The position in the room; 0 in a part that is not the last.
             */
            seq: number;
            sessions: components["schemas"]["NumberedRow"][];
            /** @enum {string} */
            type: "roster";
        };
        /** @description A roster as JSON. */
        RosterBody: {
            candidates: components["schemas"]["CandidateFields"][];
        };
        /** @description What an import has done, or would do. */
        RosterReport: {
            /** @description Number of new candidates, or people of a class. */
            added: number;
            /**
             * @description A sentence for each row that was not taken, beginning with `Row <n>:`; of classes for each person, beginning
             *     with their name.
             */
            errors: string[];
            /**
             * Format: int32
             * @description How many rows the sheet hides, which are read like others. Left out if there are none.
             */
            hiddenRows?: number;
            /** @description Headings of columns that were passed over. Left out if there are none. */
            ignoredColumns?: string[];
            /**
             * @description Names that were put together from several columns, in the order of these columns; the first 20. Left out if
             *     there are none.
             */
            joinedNames?: components["schemas"]["JoinedName"][];
            /** @description Names of rooms that the sitting did not have. Left out if there are none. */
            newRooms?: string[];
            /** @description `windows-1252` for a text that does not say its encoding and was read as that one; otherwise left out. */
            readAs?: string;
            /** @description Number of those who are no longer there. */
            removed: number;
            /** @description Number of those who were there before. */
            updated: number;
        };
        /** @description The fields of a row that have changed: any of `SessionRow`. */
        RowDifference: {
            /**
             * Format: int32
             * @description The number of the row.
             */
            n: number;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Whether the clock of a row stands still, whatever its state.
         * @enum {string}
         */
        RowStanding: "running" | "paused";
        /** @description A public key as platforms get it (RFC 7517). */
        RsaJsonWebKey: {
            /** @description `RS256`. */
            alg: string;
            /** @description The exponent in base64url. */
            e: string;
            /** @description The thumbprint of RFC 7638. */
            kid: string;
            /** @description `RSA`. */
            kty: string;
            /** @description The modulus in base64url. */
            n: string;
            /** @description `sig`. */
            use: string;
        };
        /** @description A list of public keys as JSON (RFC 7517). */
        RsaJsonWebKeys: {
            /** @description The key that signs latest first. */
            keys: components["schemas"]["RsaJsonWebKey"][];
        };
        /** @description Who may sit a template, when and how often: neither its code nor its classes. */
        RunnerAccess: {
            /**
             * Format: int32
             * @description How often each account may sit it; null for as often as it wants.
             */
            attempts?: number | null;
            /**
             * Format: int32
             * @description How many tests the caller's account may still begin; absent where that is not counted, or not known, and where
             *     the caller may see the questions.
             */
            attemptsLeft?: number;
            /**
             * Format: date-time
             * @description Until when it may be begun, and when every test of it ends at the latest; null for no end.
             */
            closesAt?: string | null;
            /** @description Whether a code has to be typed before. */
            codeRequired: boolean;
            /** @description Whether it is for the account of the caller, who is signed in; absent like `attemptsLeft`. */
            forAccount?: boolean;
            /**
             * @description True if the caller's account has begun a test that goes on: a start goes on with it, whatever the window, the
             *     code and the attempts are; absent otherwise.
             */
            goesOn?: boolean;
            /**
             * Format: date-time
             * @description From when it may be begun; null for at once.
             */
            opensAt?: string | null;
            /** @description Whom it is for. */
            who: components["schemas"]["Audience"];
        };
        /** @description A template in the form for the runner: without targets, author and times. */
        RunnerTemplate_Question: {
            /** @description Who may sit it, when and how often; absent for everyone who has the link. */
            access?: components["schemas"]["RunnerAccess"];
            /** @description Which calculator students may use. */
            calculator: components["schemas"]["Calculator"];
            /**
             * Format: int32
             * @description Whole minutes; for both stages together.
             */
            durationMinutes: number;
            /** @description The questions that only other forms of the test have, which no list here has; absent if there are none. */
            formQuestions?: components["schemas"]["DeliveredQuestion"][];
            grades: components["schemas"]["Grade"][];
            /** Format: uuid */
            id: string;
            /**
             * @description True if students go through their questions in order, from one that they have seen to the next; absent
             *     otherwise. It is for the client to see to it.
             */
            inOrder?: boolean;
            /** @description `standard` or `adaptive`. */
            mode: components["schemas"]["Mode"];
            name: string;
            /** @description With `questionsWithheld`: how many questions each list has. */
            questionCounts?: components["schemas"]["QuestionCounts"];
            /**
             * @description True where the lists are left out, since the template is for certain people, or may not be begun now; absent
             *     otherwise. Whoever has begun reads it with the token of the attempt.
             */
            questionsWithheld?: boolean;
            session1Questions?: components["schemas"]["DeliveredQuestion"][];
            session2QuestionsByBand?: {
                [key: string]: components["schemas"]["DeliveredQuestion"][];
            };
            /** @description When students are told the keys of their tests; absent for `always`. */
            showAnswers?: components["schemas"]["ShowAnswers"];
            standardQuestions?: components["schemas"]["DeliveredQuestion"][];
        };
        /** @description How many questions of the sample bank stand as they were shipped, by language. */
        SampleCounts: {
            en: number;
            vi: number;
        };
        /** @description The language that the sample bank shall have. */
        SampleLanguage: {
            language: components["schemas"]["PageLanguage"];
        };
        /** @description What a change of the sample bank's language has done. */
        SamplesChanged: {
            /** @description Questions that are in the language now, and were not. */
            changed: number;
            /** @description Sample questions that the school has changed or retired: they are as they were. */
            left: number;
        };
        /** @description Every command that this socket has carried, up to this number, is in the database. */
        Saved: {
            /** Format: int64 */
            seq: number;
            /** @enum {string} */
            type: "saved";
        };
        /** @description The saved state of one question. */
        SavedAnswer: {
            /** @description The options that are crossed out, in their order; absent when there are none. */
            eliminated?: components["schemas"]["Choice"][];
            marked: boolean;
            questionId: string;
            /** @description The letter of the option, or the number as it was typed; null without an answer. */
            selected: string | null;
            /**
             * Format: int64
             * @description The highest number of a command that set one of these.
             */
            seq: number;
            /**
             * Format: int32
             * @description Whole seconds; absent when not known.
             */
            timeTaken?: number;
            visited: boolean;
        };
        /** @description The change of the settings. A field that is left out stays as it is. */
        SchoolChange: {
            /** @description `#rrggbb`; white text on it needs a contrast of 4.5. */
            colour?: string | null;
            /** @description Kinds of incidents of the school's own, of 1 to 50 characters each. */
            incidentKinds?: string[] | null;
            /** @description The default first. */
            languages?: components["schemas"]["PageLanguage"][] | null;
            markScale?: components["schemas"]["MarkScale"] | null;
            /** @description May be empty. */
            name?: string | null;
            /** @description A name of the IANA database, or empty. */
            timeZone?: string | null;
        };
        /**
         * @description The school's scale of marks, whatever it is then.
         * @enum {string}
         */
        SchoolScale: "school";
        /** @description The settings with their revision. */
        SchoolSettingsView: components["schemas"]["SchoolView"] & {
            /** @description Kinds of incidents of the school's own, beside those that every desk offers. */
            incidentKinds: string[];
            markScale: components["schemas"]["MarkScale"] | null;
            /**
             * Format: int64
             * @description Counts the changes. It is the `ETag`, too.
             */
            revision: number;
        };
        /** @description The school as pages show it. */
        SchoolView: {
            /** @description `#rrggbb`: white text on it has a contrast of 4.5 at least. */
            colour: string;
            /** @description The address of the crest; empty if there is none. */
            crest: string;
            /** @description What pages offer, the default first. */
            languages: components["schemas"]["PageLanguage"][];
            /** @description Empty if none was given. */
            name: string;
            /** @description A name of the IANA database; empty if none was chosen. */
            timeZone: string;
        };
        /** @description How many tests have a score of these points. */
        ScoreBin: {
            /**
             * Format: int64
             * @description Tests that would have one.
             */
            after: number;
            /**
             * Format: int64
             * @description Tests that have such a score now.
             */
            before: number;
            /**
             * Format: int32
             * @description From these points.
             */
            from: number;
            /**
             * Format: int32
             * @description To these, which are included.
             */
            to: number;
        };
        /** @description What accepting work would make of a score. */
        ScoreChange: {
            /**
             * Format: int32
             * @description As it would be.
             */
            after: number;
            /**
             * Format: int32
             * @description As it is now.
             */
            before: number;
        };
        /** @description A score that was sent to a learning platform, or is to be. */
        ScoreDeliveryView: {
            /** Format: int32 */
            attempts: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            deliveredAt: string | null;
            /** @description `score.ended`, `score.released` or `score.changed`. */
            event: string;
            /** Format: uuid */
            id: string;
            /** @description Why it has not arrived; what follows the first line are the platform's own words. */
            lastError: string | null;
            /** Format: int32 */
            lastStatus: number | null;
            /**
             * Format: uuid
             * @description The link by which the person came.
             */
            linkId: string | null;
            /** @description The name of the person, as the platform tells it. */
            name: string | null;
            /** Format: date-time */
            nextAttemptAt: string | null;
            /**
             * Format: int32
             * @description Null while only the end is told, and before the first attempt.
             */
            scoreGiven: number | null;
            /** Format: int32 */
            scoreMaximum: number | null;
            /** Format: uuid */
            sessionId: string;
            status: components["schemas"]["DeliveryStatus"];
            /** @description The address of the column, or of the list of columns as long as none is known; empty while neither is. */
            url: string;
            /**
             * Format: int32
             * @description The version of the result that it tells.
             */
            version: number;
        };
        /**
         * @description What of a result is sent as the score.
         * @enum {string}
         */
        ScoreForm: "points" | "percent";
        /** @description A page of scores, the newest first. */
        ScorePage: {
            /**
             * Format: int64
             * @description From 1.
             */
            page: number;
            /** Format: int64 */
            perPage: number;
            scores: components["schemas"]["ScoreDeliveryView"][];
            /** Format: int64 */
            total: number;
        };
        /** @description Where a sealed part is fetched, and how its bytes are verified. */
        SealedPartView: {
            bytes: number;
            /**
             * @description True if the candidates go through its questions in order, from one that they have seen to the next; absent
             *     otherwise. It is for the client to see to it.
             */
            inOrder?: boolean;
            /** @description `1`, or a band such as `80-90`. */
            part: string;
            /** @description Of the bytes, in hexadecimal digits. */
            sha256: string;
            url: string;
        };
        /** @description Whether a question is for exams alone. */
        SecureChange: {
            secure: boolean;
        };
        /** @description The questions of a grade that are for exams alone, and what is said of others about practice. */
        SecureQuestions: {
            /** @description The ids of those of which it is said that not everyone may, in order. Of the others `PUBLIC_ANSWERS` decides. */
            noPractice: string[];
            /** @description The ids of those that anyone may read with their keys, in order. */
            practice: string[];
            /** @description Their ids, in order. */
            secure: string[];
        };
        /**
         * @description What an editor has seen of a question. If it is stored with another text, key or list of options, somebody else has
         *     changed it meanwhile.
         *
         *     Any text is taken, also one that an edit can't give to a question: it may stand in an older one.
         */
        SeenFields: {
            /** @description `A` to `D`, or a number. */
            answer?: string | null;
            /**
             * Format: int32
             * @description 1 to 5.
             */
            difficulty?: number | null;
            explanation?: string | null;
            fixedOptions?: boolean | null;
            forms?: string[] | null;
            image?: string | null;
            imageDescription?: string | null;
            language?: string | null;
            options?: string[] | null;
            question?: string | null;
            source?: string | null;
            subtopic?: string | null;
            tolerance?: string | null;
            topic?: string | null;
            unit?: string | null;
        };
        SendProctorFrame: components["schemas"]["Roster"] | components["schemas"]["Changes"] | components["schemas"]["RoomProgress"] | components["schemas"]["OrderDone"] | components["schemas"]["History"] | components["schemas"]["MoveCode"] | components["schemas"]["OrderError"] | components["schemas"]["Restarting"];
        SendStudentFrame: components["schemas"]["Started"] | components["schemas"]["Resumed"] | components["schemas"]["Waiting"] | components["schemas"]["Begin"] | components["schemas"]["Saved"] | components["schemas"]["Stage"] | components["schemas"]["Submitted"] | components["schemas"]["Receipt"] | components["schemas"]["Time"] | components["schemas"]["Alert"] | components["schemas"]["Paused"] | components["schemas"]["Unpaused"] | components["schemas"]["Extended"] | components["schemas"]["Notice"] | components["schemas"]["Superseded"] | components["schemas"]["Restarting"] | components["schemas"]["LiveError"];
        /** @description What was sent. */
        SentEvent: {
            body: string;
            /** @description By name; `X-Webhook-Secret` is not shown. */
            headers: {
                [key: string]: string;
            };
        };
        /** @description The state of the service as this server sees it. */
        ServiceHealth: {
            database: components["schemas"]["DatabaseHealth"];
            provider: components["schemas"]["ProviderHealth"];
            queues: components["schemas"]["WaitingWork"];
            /** @description Whether this server only reads (`READ_ONLY`). */
            readOnly: boolean;
            redis: components["schemas"]["RedisHealth"];
            /** @description All servers that are alive. */
            servers: components["schemas"]["LivingServer"][];
            /** Format: date-time */
            startedAt: string;
            version: string;
        };
        /** @description A stored session, or the payload of its webhook. */
        Session: components["schemas"]["StoredSession"] | components["schemas"]["CompletedSession"];
        /** @description The result of one question, as far as the reader may see it. */
        SessionAnswer: {
            /** @description Options or numbers that a correction has made right too; absent when there are none, and for such readers. */
            alsoCorrect?: string[];
            /** @description The right option, `A` to `D`, or the right number; absent, like `isCorrect`, for readers who may not know it. */
            correct?: string;
            /**
             * @description What a correction of the key has made of the question; absent when there is none, and for readers who may not
             *     know the key.
             */
            correction?: components["schemas"]["CorrectionKind"];
            /** @description Whether the answer counts as right. */
            isCorrect?: boolean;
            /** @description Identifier of the question. */
            questionId: string;
            /** @description `A` to `D`, or the number as it was typed; empty when not answered. */
            selected: string;
            /**
             * Format: int32
             * @description Whole seconds on this question; absent when not known.
             */
            timeTaken?: number;
        };
        /** @description A session as shown in lists that were asked for with a condition, or by pages. */
        SessionEntry: components["schemas"]["SessionSummary"] & {
            /** @description E-mail of the person who was signed in when a live exam began, else null. */
            account: string | null;
            /**
             * Format: int64
             * @description The calendar event that the annotations name, else null.
             */
            event: number | null;
            /**
             * @description The form of the template that was sat, `A` to `H`; absent for a test without forms.
             * @example B
             */
            form?: string;
            /** @description Who chose the answers: `live` or `client`. */
            origin: components["schemas"]["SessionOrigin"];
            /**
             * Format: date-time
             * @description When the student began; ISO 8601.
             */
            startedAt: string;
            /** @description The annotation `name`, else `studentId`, else empty. */
            student: string;
            /** @description The annotation `studentId`; null when there is none. */
            studentId: string | null;
            /**
             * Format: uuid
             * @description The template that a live exam was started from, else null.
             */
            templateId: string | null;
            /**
             * Format: int32
             * @description Whole seconds.
             */
            timeTaken: number;
            /** @description Whether the server graded the test by its own bank. */
            verified: boolean;
        };
        /**
         * @description What a webhook tells of a session.
         * @enum {string}
         */
        SessionEvent: "test.completed" | "result.released" | "result.changed";
        /** @description A page; with `event` alone an array of entries; without parameters one of summaries. */
        SessionList: components["schemas"]["SessionPage"] | components["schemas"]["SessionEntry"][] | components["schemas"]["SessionSummary"][];
        /**
         * @description Who chose the answers of a test.
         * @enum {string}
         */
        SessionOrigin: "live" | "client";
        /** @description A page of sessions, the newest first. */
        SessionPage: {
            /**
             * Format: int64
             * @description From 1.
             */
            page: number;
            /** Format: int64 */
            perPage: number;
            sessions: components["schemas"]["SessionEntry"][];
            /**
             * Format: int64
             * @description Sessions on all pages.
             */
            total: number;
        };
        /** @description The result of a test, as far as the reader may see it. */
        SessionResult: {
            /**
             * Format: double
             * @description Percent with one decimal.
             */
            accuracy: number;
            /** @description One line for each question, in the order of the paper. */
            answers: components["schemas"]["SessionAnswer"][];
            /**
             * Format: int32
             * @description Questions answered correctly.
             */
            correctAnswers: number;
            /** @description One line for each difficulty on the paper, easiest first; none for such readers. */
            difficultyBreakdown: components["schemas"]["DifficultyLine"][];
            /**
             * Format: int32
             * @description 200 to 800.
             */
            score: number;
            /**
             * Format: int32
             * @description Whole seconds.
             */
            timeTaken: number;
            /** @description One line for each topic, in the order of the paper; none for readers who may not know which answers were right. */
            topicBreakdown: components["schemas"]["TopicLine"][];
            /**
             * Format: int32
             * @description Questions of the test, without those that a correction has dropped.
             */
            totalQuestions: number;
        };
        /** @description What a proctor sees of a session. */
        SessionRow: {
            /** @description The e-mail of the signed-in student, whatever the annotations say; null without sign-in. */
            account: string | null;
            /** @description Who lets the candidate in although the entry is over. */
            admittedBy?: string;
            /**
             * Format: int32
             * @description Questions with a choice.
             */
            answered: number;
            /**
             * Format: int32
             * @description Where in `progress` the question is that the student opened or answered last, from 0.
             */
            at: number | null;
            /** @description The mark of a proctor: present or absent. */
            attendance?: components["schemas"]["Attendance"];
            /** @description The proctor who has marked the candidate. */
            attendanceBy?: string;
            /** @description Whether the page has lost the focus. */
            away: boolean;
            /**
             * Format: int32
             * @description How often the page has lost the focus.
             */
            awayCount: number;
            /**
             * Format: uuid
             * @description The candidate of that sitting.
             */
            candidateId?: string;
            /** @description Whether the student has an open socket. */
            connected: boolean;
            /** @description The question that the student opened or answered last; null before the first, and once the test is submitted. */
            currentQuestionId: string | null;
            /**
             * Format: date-time
             * @description When the time is up; as planned, for those whose time does not count yet.
             */
            deadline: string;
            /**
             * Format: int32
             * @description Minutes on top of it; absent without any.
             */
            extraMinutes?: number;
            /**
             * Format: int32
             * @description How much of the usual time the candidate has, in percent.
             */
            factor?: number;
            /** @description Which form of the test it is, `A` to `H`; absent where there is one alone. */
            form?: string;
            /**
             * Format: int32
             * @description 1 to 10.
             */
            grade: number;
            /**
             * Format: date-time
             * @description When the server last heard from the student; null for a candidate of a sitting who has not entered.
             */
            lastSeenAt: string | null;
            /** @description Work that came after the end; absent if none did. */
            late?: components["schemas"]["LateRow"];
            /**
             * Format: int32
             * @description Questions flagged for review.
             */
            marked: number;
            /** @description `standard` or `adaptive`. */
            mode: components["schemas"]["Mode"];
            /** @description A note for proctors. */
            note?: string;
            /**
             * @description A character for each question so far: `-` not opened, `v` opened, `a` answered, `M` flagged for review, `A`
             *     both.
             */
            progress?: string;
            /** @description Whether the candidate has the sealed paper at hand. */
            ready?: boolean;
            /**
             * Format: int32
             * @description How many changes the server has said it cannot store at the moment; 0 as soon as they are stored.
             */
            refused?: number;
            /** @description The name of the hall. This and what follows is shown in rooms of sittings only. */
            room?: string;
            /**
             * Format: int32
             * @description 200 to 800; null until the test is submitted, and while the results of its sitting are held.
             */
            score: number | null;
            /** @description The seat there. */
            seat?: string;
            /**
             * Format: uuid
             * @description Identifier of the session; null for a candidate of a sitting who has not entered.
             */
            sessionId: string | null;
            /**
             * Format: uuid
             * @description The sitting that the session belongs to.
             */
            sittingId?: string;
            /**
             * Format: int32
             * @description The current stage, 1 or 2.
             */
            stage: number;
            /** @description Whether the clock stands still: also that of someone who waits, or is expected in a hall that is paused. */
            standing?: components["schemas"]["RowStanding"];
            /**
             * Format: date-time
             * @description When the student began, or is to begin.
             */
            startedAt: string;
            /** @description The session's state. */
            state: components["schemas"]["SessionState"];
            /**
             * @description In the room of a sitting the candidate's name; elsewhere the annotation `name`, else `studentId`, else the
             *     e-mail of the signed-in student, else empty.
             */
            student: string;
            /**
             * Format: date-time
             * @description When another device of the student's took the test over last; null if none has.
             */
            takenOverAt: string | null;
            /**
             * Format: uuid
             * @description The template that it was started from; null without one, and in a sitting.
             */
            templateId: string | null;
            /**
             * Format: int32
             * @description Questions of the stages so far.
             */
            total: number;
            /** @description What the student's page reports about the computer. */
            trouble?: components["schemas"]["Trouble"][];
            /**
             * Format: int32
             * @description Which result of the test has this score, counted from 1; absent without a score.
             */
            version?: number;
            /**
             * Format: int32
             * @description How many wrong codes have begun like that of the candidate, once they are no slips any more.
             */
            wrongCodes?: number;
        };
        /**
         * @description The state of a session. Only the rooms of sittings show the first three and the last.
         * @enum {string}
         */
        SessionState: "expected" | "waiting" | "ready" | "active" | "paused" | "submitted" | "absent";
        /** @description A session as shown in lists. */
        SessionSummary: {
            /**
             * Format: int32
             * @description Questions answered correctly.
             */
            correctAnswers: number;
            /**
             * Format: int32
             * @description 1 to 10.
             */
            grade: number;
            /** @description Link to the report. */
            reportUrl: string;
            /**
             * Format: int32
             * @description The score, 200 to 800.
             */
            score: number;
            /**
             * Format: uuid
             * @description Identifier of the session.
             */
            sessionId: string;
            /**
             * Format: date-time
             * @description When the test ended; ISO 8601.
             */
            timestamp: string;
            /**
             * Format: int32
             * @description Questions of the test.
             */
            totalQuestions: number;
            /**
             * Format: int32
             * @description Counts the results that the test has had, from 1.
             */
            version: number;
            /** @description Whether the receiver of the webhook has answered 2xx to the newest version. */
            webhookSent: boolean;
        };
        /** @description All sessions of a room that are not submitted; of a sitting's room everyone on the roster. */
        SessionsView: {
            sessions: components["schemas"]["SessionRow"][];
        };
        /** @description All versions of a finished test. */
        SessionVersions: {
            /** @description The first one first. The last is the one that counts. */
            versions: components["schemas"]["ListedSessionVersion"][];
        };
        /**
         * @description When students are told the keys of the tests that they have handed in.
         * @enum {string}
         */
        ShowAnswers: "always" | "after-closing" | "never";
        /** @description All sign-ins of one user. */
        SignInsView: {
            /** @description The latest first, 100 at most. */
            signIns: components["schemas"]["SignInView"][];
        };
        /** @description Somebody is signed in with a browser. Nothing here lets anybody in, and no address is stored. */
        SignInView: {
            /** @description What the browser was called when it signed in, such as `Firefox`; null if it did not say so. */
            browser: string | null;
            /** @description Whether the request was made with it. */
            current: boolean;
            /**
             * Format: date-time
             * @description When it ends by itself.
             */
            endsAt: string;
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description Ten minutes behind at most; null for those of earlier releases.
             */
            lastUsedAt: string | null;
            /** Format: date-time */
            since: string;
            /** @description What its system was called, such as `Windows`. */
            system: string | null;
        };
        /** @description A sitting with its state and its counts. */
        Sitting: {
            /** Format: date-time */
            begunAt: string | null;
            /**
             * @description Part of the address of its page: `/s/{code}`.
             * @example K7PQ2
             */
            code: string;
            counts: components["schemas"]["CandidateCounts"];
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            /** Format: date-time */
            doorsAt: string;
            /**
             * @description Who of the roster is on that of another sitting at the same time; absent for nobody, after the beginning, and in
             *     lists.
             */
            elsewhere?: components["schemas"]["CandidatesElsewhere"];
            /** Format: date-time */
            endedAt: string | null;
            /** Format: date-time */
            endsAt: string | null;
            /** Format: date-time */
            entryUntil: string | null;
            /** Format: int64 */
            eventId: number | null;
            /**
             * Format: int32
             * @description In how many forms the template is sat; absent for one.
             */
            forms?: number;
            /**
             * Format: int64
             * @description What orders for the whole sitting have given everyone by now, in milliseconds: minutes and pauses.
             */
            grantedMs: number;
            /** Format: uuid */
            id: string;
            /**
             * Format: int64
             * @description How many tests of this paper have ended in other sittings whose candidates may see their results, so that it is
             *     known; absent for none, after the beginning, and in lists.
             */
            knownFrom?: number;
            late: components["schemas"]["LateRule"];
            markScale: components["schemas"]["MarkScale"] | null;
            /**
             * Format: int32
             * @description The minutes of the template.
             */
            minutes: number;
            name: string;
            /** Format: date-time */
            openedAt: string | null;
            perRoom: boolean;
            /**
             * @description How many questions of the paper are marked as practice, so that anyone could read them with their keys before
             *     the sitting named the template; absent for none, after the release, and in lists.
             */
            practiceQuestions?: number;
            /** @description Whether the calendar has that event, and it is kept up to date. */
            publish: boolean;
            /** @description Whether candidates may see their results. */
            released: boolean;
            /** Format: date-time */
            releasedAt: string | null;
            /** @description `now`, `held` or a time. */
            results: string;
            rooms: components["schemas"]["SittingRoom"][];
            /**
             * Format: int64
             * @description How many candidates have sat the template by its link before, with their accounts, so that they have seen its
             *     questions; absent for none, as soon as time counts, and in lists.
             */
            satByLink?: number;
            start: components["schemas"]["StartRule"];
            /** Format: date-time */
            startsAt: string;
            state: components["schemas"]["SittingState"];
            /** @description The name of the template. */
            template: string;
            /** Format: uuid */
            templateId: string;
            /**
             * Format: int64
             * @description Send it as `If-Match` with a change.
             */
            version: number;
            webhookUrl: string | null;
        };
        /** @description What may differ from the first sitting. Every field of a new sitting may be given. */
        SittingAgain: {
            /** @description That of the first if it is left out. */
            name?: string | null;
            /**
             * Format: date-time
             * @description If it is left out, the same time on the same day of the first week that lies ahead.
             */
            startsAt?: string | null;
            /**
             * Format: uuid
             * @description That of the first if it is left out.
             */
            templateId?: string | null;
        };
        /** @description A candidate of a sitting. */
        SittingCandidate: {
            email?: string;
            /**
             * Format: date-time
             * @description Their own hard end, if they have one.
             */
            endsAt: string | null;
            externalId?: string;
            /**
             * Format: int32
             * @description Those that hold.
             */
            extraMinutes: number;
            /**
             * Format: int32
             * @description The one that holds, whether it is their own or comes from elsewhere.
             */
            factor: number;
            /**
             * @description The form that they sit, or that their seat gives them when they enter, `A` to `H`; absent for a template without
             *     forms, and for who has not entered when the sitting is over.
             * @example B
             */
            form?: string;
            /** @description What the form comes from; absent without one. */
            formBy?: components["schemas"]["FormBy"];
            /**
             * Format: int64
             * @description What orders have given them by now, in milliseconds: minutes and pauses, for them alone and for everyone.
             */
            grantedMs: number;
            /** @description Whether they have an access code. */
            hasAccessCode: boolean;
            /** Format: uuid */
            id: string;
            name: string;
            /** @description For proctors. */
            note: string | null;
            /** @description The name of the hall. */
            room: string | null;
            seat: string | null;
            /** Format: uuid */
            sessionId: string | null;
            /**
             * Format: date-time
             * @description Their own start, if they have one.
             */
            startsAt: string | null;
            state: components["schemas"]["CandidateState"];
        };
        /** @description `{ candidates }`, by name. */
        SittingCandidates: {
            candidates: components["schemas"]["SittingCandidate"][];
            /** @description The last import of the roster, as long as it can be undone: until somebody has entered. Absent otherwise. */
            lastImport?: components["schemas"]["LastImport"];
        };
        /**
         * @description The fields of a sitting to change. The others stay.
         * @example {
         *       "entryUntil": null,
         *       "startsAt": "2026-06-01T09:10:00+07:00"
         *     }
         */
        SittingChange: {
            /** Format: date-time */
            doorsAt?: string | null;
            /** Format: date-time */
            endsAt?: string | null;
            /** Format: date-time */
            entryUntil?: string | null;
            late?: components["schemas"]["LateRule"] | null;
            markScale?: components["schemas"]["MarkScale"] | null;
            name?: string | null;
            perRoom?: boolean | null;
            /** @description `false` moves its event to the calendar's trash, `true` brings it back. */
            publish?: boolean | null;
            /**
             * @description `now`, `held` or a time.
             * @example held
             */
            results?: string | null;
            /** @description All of them: one that is left out is removed. */
            rooms?: components["schemas"]["SittingRoomFields"][] | null;
            start?: components["schemas"]["StartRule"] | null;
            /**
             * Format: date-time
             * @description Not once time counts; and while the doors are open, not in the past.
             */
            startsAt?: string | null;
            /**
             * Format: uuid
             * @description Not once the doors are open.
             */
            templateId?: string | null;
            webhookUrl?: string | null;
        };
        /** @description Something that a proctor has put on record. */
        SittingIncident: {
            /** Format: date-time */
            at: string;
            /** @description E-mail of the proctor. */
            by: string;
            /** @description The name of the candidate. */
            candidate: string | null;
            /**
             * Format: uuid
             * @description Null for an incident of a whole room.
             */
            candidateId: string | null;
            /** Format: uuid */
            id: string;
            /** @description In the proctor's words, such as `device`. */
            kind: string;
            /** @description The name of the room; null for an incident of the whole sitting. */
            room: string | null;
            text: string;
        };
        /** @description `{ incidents, kinds }`, in the order in which they were put on record. */
        SittingIncidents: {
            incidents: components["schemas"]["SittingIncident"][];
            /** @description The school's own kinds, beside those that every desk offers. An incident may have any other one. */
            kinds: string[];
        };
        /** @description `{ sittings }`: those that come next first, then those that have ended, the last one first. */
        SittingList: {
            sittings: components["schemas"]["Sitting"][];
        };
        /** @description What was signed last of a sitting's log of receipts. */
        SittingLog: {
            /** Format: date-time */
            begunAt: string;
            /** @description The checkpoint, a signed note of C2SP. */
            checkpoint: string;
            /** @description The root of its hash tree: 32 bytes in base64. */
            root: string;
            /**
             * Format: int64
             * @description How many receipts it has.
             */
            size: number;
            /** @description The key that checks it, as verifiers of notes take it. */
            vkey: string;
        };
        /** @description The result of a candidate; null where they have none. */
        SittingResult: {
            candidate: components["schemas"]["ResultCandidate"];
            /** @description The mark on the scale of the sitting; absent without one. */
            mark?: components["schemas"]["ResultMark"];
            /**
             * Format: int32
             * @description Questions of the test.
             */
            questions: number | null;
            /** @description Link to the report on this server. */
            report: string | null;
            /**
             * Format: int32
             * @description Right answers.
             */
            right: number | null;
            /** Format: int32 */
            score: number | null;
            /** Format: uuid */
            sessionId: string | null;
            state: components["schemas"]["CandidateState"];
            /**
             * Format: int32
             * @description Whole seconds.
             */
            time: number | null;
        };
        /** @description `{ rows, log }`, the rows by name. */
        SittingResults: {
            log: components["schemas"]["SittingLog"] | null;
            rows: components["schemas"]["SittingResult"][];
        };
        /** @description A hall of a sitting. */
        SittingRoom: {
            /** Format: date-time */
            begunAt: string | null;
            /**
             * Format: int64
             * @description How many candidates sit there.
             */
            candidates: number;
            code: string;
            /** Format: date-time */
            endsAt: string | null;
            /** Format: int32 */
            extraMinutes: number | null;
            /** Format: int32 */
            factor: number | null;
            /**
             * Format: int64
             * @description What orders for the room and for the whole sitting have given everyone there by now, in milliseconds.
             */
            grantedMs: number;
            /** Format: uuid */
            id: string;
            name: string;
            /** @description E-mail addresses. */
            proctors: string[];
            /** Format: date-time */
            startsAt: string | null;
        };
        /** @description A room of a sitting. */
        SittingRoomFields: {
            /** Format: date-time */
            endsAt?: string | null;
            /** Format: int32 */
            extraMinutes?: number | null;
            /** Format: int32 */
            factor?: number | null;
            /**
             * Format: uuid
             * @description Names a room that is to have another name.
             */
            id?: string | null;
            /** @description Unique in the sitting, whatever the case of its letters. */
            name: string;
            /** @description E-mail addresses. */
            proctors?: string[];
            /** Format: date-time */
            startsAt?: string | null;
        };
        /**
         * @description How far a sitting has come. Whether its results are released is a separate fact.
         * @enum {string}
         */
        SittingState: "draft" | "open" | "running" | "ended";
        SourceGrade: {
            /** Format: int32 */
            grade: number;
            /**
             * Format: int64
             * @description Tests that are over.
             */
            submitted: number;
        };
        SourceSitting: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: date-time */
            startsAt: string;
            state: components["schemas"]["SittingState"];
            /**
             * Format: int64
             * @description Tests that are over.
             */
            submitted: number;
        };
        SourceTemplate: {
            grades: components["schemas"]["Grade"][];
            /** Format: uuid */
            id: string;
            name: string;
            /**
             * Format: int64
             * @description Tests that are over.
             */
            submitted: number;
        };
        /** @description One person with their answers. */
        StaffResult: {
            /** @description E-mail of the person who was signed in, or on the roster. */
            account: string | null;
            /**
             * @description In the order of the paper: the place of the question in `questions`, from 0; the chosen option or the number as
             *     it was typed, or null; 1 if it is right, else 0.
             */
            answers: unknown[][];
            /** Format: uuid */
            candidateId: string | null;
            /**
             * @description The form that was sat, or is to be, `A` to `H`; absent for a test without forms.
             * @example B
             */
            form?: string;
            hasDrawings: boolean;
            /** @description Work that came after the end; absent if none did. */
            late?: components["schemas"]["LateRow"];
            /** @description The mark on the scale of the test, or of its sitting; absent without one. */
            mark?: components["schemas"]["ResultMark"];
            /**
             * @description Of the questions whose options the student saw in another order than in the bank, by id: the letters in that
             *     order, so that with `CADB` option C was the first, called A. Absent if there are none.
             */
            optionOrder?: {
                [key: string]: string;
            };
            /**
             * Format: int32
             * @description Questions of the test.
             */
            questions: number | null;
            reason: components["schemas"]["VersionReason"] | null;
            /** @description Path of the report on this server. */
            report: string | null;
            /**
             * Format: int32
             * @description Right answers.
             */
            right: number | null;
            /** @description The name of the hall. */
            room: string | null;
            /** Format: int32 */
            score: number | null;
            seat: string | null;
            /**
             * Format: uuid
             * @description Null without a finished test.
             */
            sessionId: string | null;
            state: components["schemas"]["CandidateState"];
            /** @description The name on the roster, or the one that the test was begun with. */
            student: string;
            /** Format: date-time */
            submittedAt: string | null;
            /**
             * Format: int32
             * @description Whole seconds.
             */
            time: number | null;
            /**
             * Format: int32
             * @description Which of the results that the test has had, counted from 1.
             */
            version: number | null;
        };
        /** @description Results with every answer. */
        StaffResults: {
            /** @description Of such a scale, how many rows have each mark, the best first; empty otherwise, and for reviewers. */
            marks: components["schemas"]["MarkCount"][];
            markScale: components["schemas"]["MarkScale"] | null;
            of: components["schemas"]["ResultsSubject"];
            /**
             * @description Every question that somebody was asked: of a sitting and of a template in the order of the paper, with those
             *     behind that only other forms than A have; of a grade by id.
             */
            questions: components["schemas"]["ResultQuestion"][];
            /**
             * @description The people: of a sitting everyone on the roster by name, else the newest test first. Empty for reviewers, whose
             *     concern the questions are.
             */
            rows: components["schemas"]["StaffResult"][];
            /** @description Whether there are more tests than the newest 20,000, which are shown and counted. */
            truncated: boolean;
        };
        /** @description The answer to `next`: the second stage has begun. */
        Stage: {
            band: components["schemas"]["Band"] | null;
            /** @description In a sitting, the key of the band's part: base64 of 32 bytes. */
            keys?: {
                [key: string]: string;
            };
            /** @description As in `started`, of these questions. */
            optionOrder?: {
                [key: string]: string;
            };
            questionIds: string[];
            /** Format: int64 */
            seq: number;
            /** Format: int32 */
            stage: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "stage";
        };
        /** @description What was ordered for everyone in a room. */
        Standing: {
            /** @description E-mail of the proctor who has paused it. */
            by: string | null;
            /**
             * Format: int32
             * @description Whole minutes that everyone was given, less those that were taken.
             */
            minutes: number;
            /**
             * Format: int64
             * @description The length of the pauses that have ended, in milliseconds.
             */
            pausedMs: number;
            /**
             * Format: date-time
             * @description Since when it is paused; null while it runs, like the next two.
             */
            since: string | null;
            state: components["schemas"]["StandingState"];
            /** @description The word for the students, if there is one. */
            text: string | null;
        };
        /**
         * @description Whether the time of a room stands still.
         * @enum {string}
         */
        StandingState: "running" | "paused";
        /** @description Begins a test: of a grade, or of a template. */
        Start: components["schemas"]["StartOfGrade"] | components["schemas"]["StartOfTemplate"];
        /** @description A session that has just begun. */
        Started: {
            /** @description The one that the student may use; absent without any. */
            calculator?: components["schemas"]["Calculator"];
            /** Format: date-time */
            deadline: string;
            /** Format: int32 */
            durationMinutes: number;
            /** @description Which form of the test it is, `A` to `H`; absent where there is one alone. */
            form?: string;
            /** Format: int32 */
            grade: number;
            /** @description What a file with late work is encrypted for: a public RSA key, as SPKI in base64. */
            lateKey?: string;
            /**
             * Format: int32
             * @description Of this device: it names it in its commands from now on.
             */
            line: number;
            mode: components["schemas"]["Mode"];
            /**
             * @description From question id to the letters of its options in the order in which the student sees them, such as `CADB`: what
             *     stands first is C. Only questions whose options stand in another order than in the bank; absent without any.
             *     Every letter that is sent or received is that of the bank.
             */
            optionOrder?: {
                [key: string]: string;
            };
            /**
             * Format: int64
             * @description The length of the pauses that have ended, which are part of the deadline.
             */
            pausedMs: number;
            /** @description The questions of this stage, in their order. */
            questionIds: string[];
            /** Format: int64 */
            remainingMs: number;
            /**
             * Format: int64
             * @description The highest number of a command that is saved.
             */
            seq: number;
            /** Format: date-time */
            serverTime: string;
            /** Format: uuid */
            sessionId: string;
            /** Format: int32 */
            stage: number;
            /**
             * Format: int32
             * @description 2 for an adaptive test.
             */
            stages: number;
            /** Format: date-time */
            startedAt: string;
            /**
             * Format: int64
             * @description Grows with each change of what the deadline is made of: what comes with a lower one than is known is old.
             */
            timeVersion: number;
            /** @description The secret of this session: who has it can go on with the test. */
            token: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "started";
        };
        /**
         * @description Begins a test of a grade. The server draws its questions, unless `questionIds` names them.
         * @example {
         *       "annotations": {
         *         "name": "Ada",
         *         "studentId": "s-17"
         *       },
         *       "baseUrl": "https://exam.example",
         *       "durationMinutes": 30,
         *       "grade": 5,
         *       "key": "k3v9x0d2m7q1w8e5",
         *       "mode": "standard",
         *       "questionCount": 20,
         *       "type": "start",
         *       "webhookUrl": "https://lms.example/hook"
         *     }
         */
        StartOfGrade: {
            /**
             * @description Any object of the caller's without control characters; 64 KiB at most. `name` and `studentId` are shown to
             *     proctors and in the report.
             */
            annotations?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description What the link to the report begins with, in the answer, in the record and for the webhook; the server's public
             *     address without it. Staff's lists and tables link to this server. `BASE_URLS` may limit it.
             */
            baseUrl?: string | null;
            /**
             * Format: int32
             * @description Of a standard test; 30 without it.
             */
            durationMinutes?: number | null;
            /** Format: int32 */
            grade: number;
            /**
             * @description A random text that makes the start repeatable: a start with a key that was used in the last 24 hours gives back
             *     the session that it began.
             */
            key?: string | null;
            mode?: components["schemas"]["Mode"] | null;
            /**
             * Format: int32
             * @description Of a standard test; two questions for three minutes without it.
             */
            questionCount?: number | null;
            /** @description The client's own choice for a standard test: distinct ids of questions of the grade. */
            questionIds?: string[] | null;
            /** @description Whether this student sees the options of questions in an order of their own; not without it. */
            shuffleOptions?: boolean | null;
            /** @enum {string} */
            type?: "start";
            types?: components["schemas"]["QuestionTypes"] | null;
            /** @description Gets the result when the test has ended. */
            webhookUrl?: string | null;
        };
        /**
         * @description Begins a test from a template, which decides its questions and its duration.
         * @example {
         *       "annotations": {
         *         "studentId": "s-17"
         *       },
         *       "key": "k3v9x0d2m7q1w8e5",
         *       "templateId": "0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e91",
         *       "type": "start"
         *     }
         */
        StartOfTemplate: {
            /** @description The code of the template, if it has one. */
            accessCode?: string | null;
            /**
             * @description Any object of the caller's without control characters; 64 KiB at most. `name` and `studentId` are shown to
             *     proctors and in the report.
             */
            annotations?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description What the link to the report begins with, in the answer, in the record and for the webhook; the server's public
             *     address without it. Staff's lists and tables link to this server. `BASE_URLS` may limit it.
             */
            baseUrl?: string | null;
            /**
             * @description A random text that makes the start repeatable: a start with a key that was used in the last 24 hours gives back
             *     the session that it began.
             */
            key?: string | null;
            /** Format: uuid */
            templateId: string;
            /** @enum {string} */
            type?: "start";
            /** @description Gets the result when the test has ended. */
            webhookUrl?: string | null;
        };
        /** @description Begins a test, or enters a sitting. */
        StartOrEnter: components["schemas"]["Enter"] | components["schemas"]["StartOfGrade"] | components["schemas"]["StartOfTemplate"];
        /**
         * @description When time begins to count.
         * @enum {string}
         */
        StartRule: "clock" | "proctor" | "own";
        /** @description A message in the languages of the pages. A language in which nothing is said shows the other. */
        StatusMessage: {
            /** @description In English; may be empty. */
            en: string;
            /** @description In Vietnamese; may be empty. */
            vi: string;
        };
        /** @description What admins have all pages say, and whether it is shown. */
        StatusSettings: {
            /**
             * Format: date-time
             * @description When that was last changed; null before the first time.
             */
            changedAt: string | null;
            /** @description As it is stored. */
            message: components["schemas"]["StatusMessage"];
            setting: components["schemas"]["StatusMessage"] | null;
        };
        /** @description A stored session. */
        StoredSession: {
            /**
             * @description E-mail of the person who was signed in when a live exam began, for staff: null when nobody was, and absent for
             *     other readers.
             */
            account?: string | null;
            /** @description The caller's own object, as it was sent. */
            annotations: Record<string, never>;
            /**
             * Format: date-time
             * @description The same as `timestamp`.
             */
            completedAt: string;
            /** @description From question id to drawing; absent when there are none. */
            drawings?: Record<string, never>;
            /**
             * @description The name of its exam: of its sitting, or of the template that it was practised with; absent for any other test.
             * @example Final exam in mathematics
             */
            exam?: string;
            /**
             * @description Which form of the template it is of; absent where there was only one.
             * @example B
             */
            form?: string;
            /** @description Whether the test has been reopened since and goes on; absent if not. Only staff of the grade see such a session. */
            goesOn?: boolean;
            grade: components["schemas"]["Grade"];
            /** @description The mark of the result on the school's scale; absent without a scale. */
            mark?: components["schemas"]["ResultMark"];
            /**
             * @description Whether the reader is staff, who compare the test with the master copy: show its letters beside those that the
             *     student saw. Absent if not, and without `optionOrder`.
             */
            masterLetters?: boolean;
            /**
             * @description From question id to the letters of its options in the order in which the student saw them, such as `CADB`; only
             *     of questions whose options stood in another order than in the bank, and absent when there are none. All letters
             *     elsewhere are those of the bank.
             */
            optionOrder?: {
                [key: string]: string;
            };
            /** @description `live` if a live exam was sat, `client` if a client handed the test in. */
            origin: components["schemas"]["SessionOrigin"];
            /** @description What it was before; absent for the first version. */
            previous?: components["schemas"]["PreviousVersion"];
            /** @description Why the result was changed; absent for the first version. */
            reason?: components["schemas"]["VersionReason"];
            /** @description The link to the report. */
            reportUrl: string;
            result: components["schemas"]["SessionResult"];
            /**
             * Format: uuid
             * @description Identifier of the session.
             */
            sessionId: string;
            /**
             * Format: date-time
             * @description When the student began.
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description When the test ended.
             */
            timestamp: string;
            /** @description Whether the server graded the test by its own bank. */
            verified: boolean;
            /**
             * Format: int32
             * @description Counts the results that the test has had.
             */
            version: number;
            /** @description Whether the receiver of the webhook has answered 2xx. */
            webhookSent: boolean;
        };
        /** @enum {string} */
        SubjectKind: "sitting" | "template" | "grade";
        /** @description Ends the test. Send it when everything before it is saved. */
        Submit: {
            /**
             * Format: int32
             * @description As in `answer`.
             */
            line?: number;
            /**
             * Format: int64
             * @description As in `answer`.
             */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "submit";
        };
        /** @description The body of `POST /api/review/submit`. */
        SubmitReview: {
            grade: components["schemas"]["Grade"];
            /** @description At most 10,000 characters. */
            note?: string | null;
            questionId: string;
            status: components["schemas"]["ReviewStatus"];
        };
        /** @description The test has ended. */
        Submitted: {
            /**
             * @description True while the result is held: `GET /api/sessions/{id}?wait=release` tells when it may be seen. Absent
             *     otherwise.
             */
            held?: boolean;
            reason: components["schemas"]["EndReason"];
            /**
             * @description The receipt of the version that was handed in. Absent if it is not made yet: then
             *     `GET /api/sessions/{id}/receipt` has it.
             */
            receipt?: string;
            reportUrl: string;
            /** @description Absent while it is held. */
            result?: components["schemas"]["TestResult"];
            /**
             * Format: int64
             * @description The number of the `submit` that has ended it; absent when the clock or a proctor has.
             */
            seq?: number;
            /** Format: uuid */
            sessionId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "submitted";
        };
        /** @description Another connection has taken the session over. The socket is closed with 4001. */
        Superseded: {
            /** @enum {string} */
            type: "superseded";
        };
        /** @description The body of a swap. */
        SwapBody: {
            bucket: components["schemas"]["SwapBucket"];
            /** @description The question to replace. */
            questionId: string;
            /** @description The replacement; any eligible question if it is left out. */
            replacementId?: string | null;
        };
        /** @description A list of a template. */
        SwapBucket: {
            band?: components["schemas"]["Band"] | null;
            kind: components["schemas"]["BucketKind"];
        };
        /** @description A template in which one question has been swapped. */
        SwappedTemplate: {
            /** @description The question that has taken the place. */
            replacement: components["schemas"]["Question"];
            template: components["schemas"]["TestTemplate"];
        };
        /** @description Asks for the server's time. */
        Sync: {
            /**
             * Format: double
             * @description Any number, which comes back as it was written.
             */
            t: number;
            /** @enum {string} */
            type: "sync";
        };
        /** @description A file that was taken. */
        TakenLateFile: {
            /** @description How many of them the server did not have as late work before. */
            added: number;
            /** @description Commands in the file. */
            commands: number;
            /** Format: uuid */
            sessionId: string;
        };
        /** @description Who may sit a template, when and how often. The default is everyone, at any time and as often as they want. */
        TemplateAccess: {
            /**
             * Format: int32
             * @description How often each account may sit it; null for as often as it wants. It needs another `who` than `anyone`.
             */
            attempts?: number | null;
            /** @description With `classes`: their ids, each once. */
            classIds?: string[];
            /**
             * Format: date-time
             * @description Until when it may be begun, and when every test of it ends at the latest; null for no end.
             */
            closesAt?: string | null;
            /** @description A code that has to be typed before: 4 to 20 letters `A` to `Z` and digits, whatever their case; null for none. */
            code?: string | null;
            /**
             * Format: date-time
             * @description From when it may be begun; null for at once.
             */
            opensAt?: string | null;
            /** @description Whom it is for. */
            who: components["schemas"]["Audience"];
        };
        /**
         * @description The fields of a template to change. The others stay.
         * @example {
         *       "name": "Spring test, second sitting"
         *     }
         */
        TemplateChange: {
            access?: components["schemas"]["TemplateAccess"] | null;
            /** @description Draws only questions that are approved in review. */
            approvedOnly?: boolean | null;
            calculator?: components["schemas"]["Calculator"] | null;
            /**
             * Format: int32
             * @description Whole minutes; for both stages together.
             */
            durationMinutes?: number | null;
            /**
             * Format: int32
             * @description For a standard template: in how many forms it is sat, which have its questions in other orders; one
             *     without it.
             */
            forms?: number | null;
            /** @description The questions are drawn from all of them. */
            grades?: components["schemas"]["Grade"][] | null;
            /**
             * @description Whether students go through their questions in order: the pages open those that a student has seen,
             *     and the next one. Other clients are told and not held to it.
             */
            inOrder?: boolean | null;
            markScale?: components["schemas"]["TemplateMarkScale"] | null;
            mode?: components["schemas"]["Mode"] | null;
            /** @description 1 to 200 characters. */
            name?: string | null;
            order?: components["schemas"]["ListOrder"] | null;
            /**
             * @description Whether the other forms have questions of their own where the bank has some: each of the topic, the
             *     difficulty and the type of one of the list, and chosen like these.
             */
            parallelForms?: boolean | null;
            /**
             * @description Questions that each draw keeps. Those of a new template are of its grades; later they are in one of
             *     its lists.
             */
            pinned?: string[] | null;
            /**
             * @description Whether anyone may read its questions with their keys. With `false` its questions, but for those
             *     that are marked as practice, show no keys to others than staff while the template stands.
             */
            practice?: boolean | null;
            session1Targets?: components["schemas"]["DifficultyTargets"] | null;
            /** @description For an adaptive template: the same for each of the five bands, all with the same total. */
            session2TargetsByBand?: {
                [key: string]: components["schemas"]["DifficultyTargets"];
            } | null;
            showAnswers?: components["schemas"]["ShowAnswers"] | null;
            /** @description Whether each student sees the options in an order of their own, but for questions that keep theirs. */
            shuffleOptions?: boolean | null;
            /** @description Draws only questions of these sources; null or an empty list: of all. */
            sources?: string[] | null;
            standardTargets?: components["schemas"]["DifficultyTargets"] | null;
            /**
             * @description For a standard template: questions wanted of each topic, 1 to 200 of each and in total; at most 60
             *     topics. With `standardTargets` both hold together, and have the same total. Null or an empty object:
             *     topics do not matter.
             */
            topicTargets?: {
                [key: string]: number;
            } | null;
            types?: components["schemas"]["QuestionTypes"] | null;
        };
        /**
         * @description The configuration of a template.
         * @example {
         *       "durationMinutes": 30,
         *       "grades": [
         *         5
         *       ],
         *       "mode": "standard",
         *       "name": "Spring test",
         *       "standardTargets": {
         *         "1": 4,
         *         "2": 3,
         *         "3": 3,
         *         "4": 4,
         *         "5": 6
         *       }
         *     }
         */
        TemplateConfig: {
            access?: components["schemas"]["TemplateAccess"] | null;
            /** @description Draws only questions that are approved in review. */
            approvedOnly?: boolean | null;
            calculator?: components["schemas"]["Calculator"] | null;
            /**
             * Format: int32
             * @description Whole minutes; for both stages together.
             */
            durationMinutes: number;
            /**
             * Format: int32
             * @description For a standard template: in how many forms it is sat, which have its questions in other orders; one
             *     without it.
             */
            forms?: number | null;
            /** @description The questions are drawn from all of them. */
            grades: components["schemas"]["Grade"][];
            /**
             * @description Whether students go through their questions in order: the pages open those that a student has seen,
             *     and the next one. Other clients are told and not held to it.
             */
            inOrder?: boolean | null;
            markScale?: components["schemas"]["TemplateMarkScale"] | null;
            mode: components["schemas"]["Mode"];
            /** @description 1 to 200 characters. */
            name: string;
            order?: components["schemas"]["ListOrder"] | null;
            /**
             * @description Whether the other forms have questions of their own where the bank has some: each of the topic, the
             *     difficulty and the type of one of the list, and chosen like these.
             */
            parallelForms?: boolean | null;
            /**
             * @description Questions that each draw keeps. Those of a new template are of its grades; later they are in one of
             *     its lists.
             */
            pinned?: string[] | null;
            /**
             * @description Whether anyone may read its questions with their keys. With `false` its questions, but for those
             *     that are marked as practice, show no keys to others than staff while the template stands.
             */
            practice?: boolean | null;
            session1Targets?: components["schemas"]["DifficultyTargets"] | null;
            /** @description For an adaptive template: the same for each of the five bands, all with the same total. */
            session2TargetsByBand?: {
                [key: string]: components["schemas"]["DifficultyTargets"];
            } | null;
            showAnswers?: components["schemas"]["ShowAnswers"] | null;
            /** @description Whether each student sees the options in an order of their own, but for questions that keep theirs. */
            shuffleOptions?: boolean | null;
            /** @description Draws only questions of these sources; null or an empty list: of all. */
            sources?: string[] | null;
            standardTargets?: components["schemas"]["DifficultyTargets"] | null;
            /**
             * @description For a standard template: questions wanted of each topic, 1 to 200 of each and in total; at most 60
             *     topics. With `standardTargets` both hold together, and have the same total. Null or an empty object:
             *     topics do not matter.
             */
            topicTargets?: {
                [key: string]: number;
            } | null;
            types?: components["schemas"]["QuestionTypes"] | null;
        };
        /** @description All templates, the most recently changed first. */
        TemplateList: {
            templates: components["schemas"]["TemplateSummary"][];
        };
        /** @description Which scale of marks a template has, if it has one. */
        TemplateMarkScale: components["schemas"]["SchoolScale"] | components["schemas"]["MarkScale"];
        /** @description A template without its questions. */
        TemplateSummary: {
            /** @description Which calculator students may use. */
            calculator: components["schemas"]["Calculator"];
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            /** Format: int32 */
            durationMinutes: number;
            grades: components["schemas"]["Grade"][];
            /** Format: uuid */
            id: string;
            /** @description `standard` or `adaptive`. */
            mode: components["schemas"]["Mode"];
            name: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description What became of it. */
        TestEventReport: {
            /** @description Whether the receiver answered with 2xx. */
            delivered: boolean;
            /** @description Why it was not delivered; empty if it was. */
            error: string;
            /** Format: int64 */
            milliseconds: number;
            request: components["schemas"]["SentEvent"];
            /** @description The beginning of the receiver's answer. */
            response: string;
            /**
             * Format: int32
             * @description The receiver's status; null if it did not answer.
             */
            status: number | null;
        };
        /** @description Where to send it. */
        TestEventRequest: {
            url: string;
        };
        /** @description The result of a test. */
        TestResult: {
            /**
             * Format: double
             * @description Percent with one decimal; a request may leave it out.
             */
            accuracy?: number;
            /** @description One line for each question, in the order of the paper. */
            answers: components["schemas"]["AnswerLine"][];
            /**
             * Format: int32
             * @description Questions answered correctly.
             */
            correctAnswers: number;
            /** @description One line for each difficulty on the paper, easiest first. */
            difficultyBreakdown: components["schemas"]["DifficultyLine"][];
            /**
             * Format: int32
             * @description 200 to 800.
             */
            score: number;
            /**
             * Format: int32
             * @description Whole seconds.
             */
            timeTaken: number;
            /** @description One line for each topic, in the order of the paper. */
            topicBreakdown: components["schemas"]["TopicLine"][];
            /**
             * Format: int32
             * @description Questions of the test, without those that a correction has dropped.
             */
            totalQuestions: number;
        };
        /** @description A template in the form for admins. Only the fields of its mode are present. */
        TestTemplate: {
            /** @description Who may sit it, when and how often; absent for everyone who has the link. */
            access?: components["schemas"]["TemplateAccess"];
            /** @description True if only questions are drawn that are approved in review; absent otherwise. */
            approvedOnly?: boolean;
            /**
             * Format: int64
             * @description How many tests of it have been begun by its link, in no sitting; absent for none.
             */
            begunByLink?: number;
            /** @description Which calculator students may use. */
            calculator: components["schemas"]["Calculator"];
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            /**
             * Format: int32
             * @description Whole minutes; for both stages together.
             */
            durationMinutes: number;
            /** @description Each form with its questions, A first; absent for one. */
            formLists?: components["schemas"]["FormList"][];
            /** @description The questions of other forms that the list does not have; absent if there are none. */
            formQuestions?: components["schemas"]["Question"][];
            /**
             * Format: int32
             * @description In how many forms a standard template is sat; absent for one.
             */
            forms?: number;
            grades: components["schemas"]["Grade"][];
            /** Format: uuid */
            id: string;
            /** @description True if students go through their questions in order; absent otherwise. */
            inOrder?: boolean;
            markScale?: components["schemas"]["TemplateMarkScale"] | null;
            /** @description `standard` or `adaptive`. */
            mode: components["schemas"]["Mode"];
            name: string;
            /** @description The order of each list when it is drawn; absent for `mixed`. */
            order?: components["schemas"]["ListOrder"];
            /** @description True if the other forms have questions of their own, each like one of the list; absent otherwise. */
            parallelForms?: boolean;
            /** @description The questions that each draw keeps; absent if there are none. */
            pinned?: string[];
            /** @description Whether anyone may read its questions with their keys; absent if it does not say. */
            practice?: boolean;
            /**
             * @description How many of its questions are marked as practice, so that anyone may read them with their keys whatever the
             *     template says; absent for none.
             */
            practiceQuestions?: number;
            session1Questions?: components["schemas"]["Question"][];
            session1Targets?: components["schemas"]["DifficultyTargets"];
            session2QuestionsByBand?: {
                [key: string]: components["schemas"]["Question"][];
            };
            session2TargetsByBand?: {
                [key: string]: components["schemas"]["DifficultyTargets"];
            };
            /** @description When students are told the keys of their tests; absent for `always`. */
            showAnswers?: components["schemas"]["ShowAnswers"];
            /** @description True if each student sees options in an order of their own; absent otherwise. */
            shuffleOptions?: boolean;
            /** @description The sources from which questions are drawn; absent for all. */
            sources?: string[];
            standardQuestions?: components["schemas"]["Question"][];
            /** @description Questions wanted of each difficulty, `1` to `5`; absent if only topics matter. */
            standardTargets?: components["schemas"]["DifficultyTargets"];
            /** @description Questions wanted of each topic; absent if topics do not matter. */
            topicTargets?: {
                [key: string]: number;
            };
            /** @description The types of questions that are drawn; absent for `multiple-choice`. */
            types?: components["schemas"]["QuestionTypes"];
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description The server's time: the answer to `sync`, and unasked every 30 s. */
        Time: {
            /** Format: date-time */
            deadline: string;
            /**
             * Format: int64
             * @description The length of the pauses that have ended, which are part of the deadline.
             */
            pausedMs: number;
            /** @description What has changed, when that is why the message comes. */
            reason?: components["schemas"]["MovedReason"];
            /** Format: int64 */
            remainingMs: number;
            /** Format: date-time */
            serverTime: string;
            state: components["schemas"]["SessionState"];
            /**
             * Format: double
             * @description As it was sent with `sync`; absent otherwise.
             */
            t?: number;
            /**
             * Format: int64
             * @description Grows with each change of what the deadline is made of: what comes with a lower one than is known is old.
             */
            timeVersion: number;
            /** @enum {string} */
            type: "time";
        };
        /** @description All tokens. */
        TokensView: {
            tokens: components["schemas"]["TokenView"][];
        };
        /** @description A token without its secret. */
        TokenView: {
            /** Format: date-time */
            createdAt: string;
            /** @description The user for whom it acts. */
            email: string;
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description At most a minute behind. Null when the token was never used.
             */
            lastUsedAt: string | null;
            /** @description The purpose of the token. */
            name: string;
            role: components["schemas"]["Role"];
        };
        /** @description The result in one topic. */
        TopicLine: {
            /**
             * Format: int32
             * @description Questions answered correctly.
             */
            correct: number;
            /**
             * Format: int32
             * @description Percent correct, rounded half up.
             */
            percentage: number;
            /** @description The topic. */
            topic: string;
            /**
             * Format: int32
             * @description Questions of the topic.
             */
            total: number;
        };
        /**
         * @description One thing that is wrong.
         * @enum {string}
         */
        Trouble: "storage" | "clock" | "paper" | "saving";
        /**
         * @description What is wrong at the student's computer; an empty list when nothing is any more. Names that are not known count as
         *     none.
         */
        TroubleReport: {
            trouble: components["schemas"]["Trouble"][];
            /** @enum {string} */
            type: "trouble";
        };
        /**
         * @description Why an order leaves an attempt as it is.
         * @enum {string}
         */
        Unchanged: "already_submitted" | "as_ordered" | "own_end" | "own_pause" | "hall_pause" | "own_time" | "ends_before";
        /** @description A session that an order, or a change of the plan, has left as it was. */
        UnchangedSession: {
            /** @description Why it is as it was. */
            reason: components["schemas"]["Unchanged"];
            /**
             * Format: uuid
             * @description The id of the session.
             */
            sessionId: string;
            /** @description The name that proctors see; empty if there is none. */
            student: string;
        };
        /** @description What was taken back. */
        UndoneRoster: {
            /** @description Number of those whom it had added or changed, and who were changed or removed by hand since: that stays. */
            kept: number;
            /** @description Number of candidates whom the import had added, and who are gone. */
            removed: number;
            /** @description Number of those whom it had changed, and who are as before, as far as nobody has changed them since. */
            restored: number;
            /** @description Number of those whom it had removed, and who are back. */
            returned: number;
        };
        /**
         * @description Why no score can be sent.
         * @enum {string}
         */
        UngradedReason: "unknown" | "removed" | "column" | "scope" | "blocked";
        /** @description Somebody for whom no score can be sent. */
        UngradedView: {
            /** Format: uuid */
            candidateId: string;
            name: string;
            reason: components["schemas"]["UngradedReason"];
        };
        /** @description `{ people }`. */
        UnjoinedPeople: {
            people: components["schemas"]["UnjoinedPerson"][];
        };
        /** @description Somebody of a learning platform who was seen at a link to the sitting, and is no candidate of it. */
        UnjoinedPerson: {
            /** @description What the platform calls the course; null if it does not say. */
            contextTitle: string | null;
            /** @description Null if the platform has never told it. People may have typed it there themselves. */
            email: string | null;
            /** Format: uuid */
            id: string;
            /** @description Null if the platform has never told it. */
            name: string | null;
            /** @description The name of the platform. */
            platform: string;
            /**
             * Format: date-time
             * @description When they followed the link last, or were found in its course.
             */
            seenAt: string;
            /** @description The platform's id of them. */
            subject: string;
        };
        /** @description The test goes on. */
        Unpaused: {
            /** Format: date-time */
            deadline: string;
            /**
             * Format: int64
             * @description The length of the pauses that have ended, which are part of the deadline.
             */
            pausedMs: number;
            /** Format: int64 */
            remainingMs: number;
            /** Format: date-time */
            serverTime: string;
            state: components["schemas"]["SessionState"];
            /**
             * Format: int64
             * @description Grows with each change of what the deadline is made of: what comes with a lower one than is known is old.
             */
            timeVersion: number;
            /** @enum {string} */
            type: "unpaused";
        };
        /** @description The fields to change. Each text has at most 32,767 UTF-16 units. */
        UpdatesView: {
            /** @description `A` to `D`, and one of the question's options; or the right number with a decimal point. */
            answer?: string | null;
            /**
             * Format: int32
             * @description 1 to 5.
             */
            difficulty?: number | null;
            explanation?: string | null;
            /**
             * @description Whether it keeps the order of its options where options are shuffled. Without it that stays as it is, unless the
             *     new `options` ask for it, as *All of the above* does, and the old ones did not.
             */
            fixedOptions?: boolean | null;
            /** @description The ways of writing the number that count. */
            forms?: components["schemas"]["NumberForm"][] | null;
            /** @description May be empty. */
            image?: string | null;
            /** @description What the picture shows, in words. May be empty. */
            imageDescription?: string | null;
            language?: components["schemas"]["NumberLanguage"] | null;
            /** @description Two to four texts that are not empty. A question that asks for a number has none. */
            options?: string[] | null;
            question?: string | null;
            /** @description May be empty. */
            source?: string | null;
            /** @description May be empty. */
            subtopic?: string | null;
            /** @description Of a number, like the next three: how far an answer may be from it. */
            tolerance?: string | null;
            topic?: string | null;
            /** @description What stands behind the box. May be empty. */
            unit?: string | null;
        };
        /** @description A picture that is stored. */
        UploadedPicture: {
            /** @description Its size as it is stored. */
            bytes: number;
            /** Format: int32 */
            height: number;
            /** @description Its address, for the field `image` of a question. */
            url: string;
            /**
             * Format: int32
             * @description In pixels, as it is stored; 0 for a drawing that does not say it.
             */
            width: number;
        };
        /** @description A person who has signed in, or whom an operator has added. */
        User: {
            /**
             * Format: date-time
             * @description When the user was first stored; ISO 8601.
             */
            createdAt: string;
            /** @description The e-mail address, in lower case. */
            email: string;
            /** @description A link to a picture, or empty. */
            image: string;
            /**
             * Format: date-time
             * @description When they last signed in; null when they never have.
             */
            lastLogin: string | null;
            /** @description The name as shown. */
            name: string;
            /** @description What they may do. */
            role: components["schemas"]["Role"];
        };
        /**
         * @description Where a value comes from. A later one overrides an earlier one.
         * @enum {string}
         */
        ValueSource: "template" | "sitting" | "room" | "accommodation" | "candidate";
        /**
         * @description Why there is a version.
         * @enum {string}
         */
        VersionReason: "submitted" | "late_work" | "reopened" | "key_corrected" | "reverted";
        /** @description Says which rows are in view, on a socket that is told differences. */
        View: {
            /** @description The numbers of the rows; all rows without it. */
            rows?: number[];
            /** @enum {string} */
            type: "view";
        };
        /** @description The student has opened the question. */
        Visit: {
            /**
             * Format: date-time
             * @description As in `answer`.
             */
            at?: string;
            /**
             * Format: int32
             * @description As in `answer`.
             */
            line?: number;
            questionId: string;
            /**
             * Format: int64
             * @description As in `answer`.
             */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "visit";
        };
        /** @description What a candidate sees before their time begins to count; sent again whenever something of it changes. */
        Waiting: {
            /**
             * Format: date-time
             * @description When their time begins to count by itself; null while that is in a proctor's hands.
             */
            beginsAt: string | null;
            /** @description The one that the candidate may use; absent without any. */
            calculator?: components["schemas"]["Calculator"];
            /** @description Which form of the test it is, `A` to `H`; absent where there is one alone. */
            form?: string;
            /**
             * Format: int64
             * @description The same in milliseconds.
             */
            givenMs: number;
            /** Format: int32 */
            grade: number;
            /** @description What a file with late work is encrypted for: a public RSA key, as SPKI in base64. */
            lateKey?: string;
            /**
             * Format: int32
             * @description Of this device: it names it in its commands from now on.
             */
            line: number;
            /**
             * Format: double
             * @description The time that the candidate has, extra time included, perhaps with a fraction.
             */
            minutes: number;
            mode: components["schemas"]["Mode"];
            /** @description The candidate's. */
            name: string;
            /** @description While the time is stopped, so that it will not run either. */
            paused?: components["schemas"]["WaitingPause"];
            /** @description Whether all parts have been named by `ready`. */
            ready: boolean;
            room: string | null;
            /** @description Those of the candidate's own form. */
            sealed: components["schemas"]["SealedPartView"][];
            seat: string | null;
            /** Format: date-time */
            serverTime: string;
            /** Format: uuid */
            sessionId: string;
            /** @description The sitting's name. */
            sitting: string;
            /** Format: uuid */
            sittingId: string;
            /**
             * Format: int32
             * @description 2 for an adaptive test.
             */
            stages: number;
            start: components["schemas"]["StartRule"];
            /**
             * Format: date-time
             * @description When it is planned to start for this candidate.
             */
            startsAt: string;
            /** @description The secret of this session: who has it can go on with the test. */
            token: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "waiting";
        };
        /** @description Why the time of someone who waits will not run. */
        WaitingPause: {
            /** Format: date-time */
            since: string;
            /** @description The proctor's word for it. */
            text: string | null;
        };
        /** @description What waits to be done. */
        WaitingWork: {
            /**
             * Format: int64
             * @description Finished tests and edits that an external data provider has refused.
             */
            transfersRefused: number;
            /**
             * Format: int64
             * @description Finished tests and edits that an external data provider has not taken yet.
             */
            transfersWaiting: number;
            /** Format: int64 */
            webhooksFailed: number;
            /** Format: int64 */
            webhooksPending: number;
        };
        /** @description Watches a room: the sessions of a grade or of a template, or the candidates of a sitting. */
        Watch: components["schemas"]["WatchOfGrade"] | components["schemas"]["WatchOfTemplate"] | components["schemas"]["WatchOfSitting"];
        /** @description Watches all sessions of a grade, those from its templates included. */
        WatchOfGrade: {
            /** @description Whether large frames may come as binary messages: the same text as raw deflate. */
            compressed?: boolean;
            /** @description Whether changes come as the fields that differ, and not as whole rows. */
            differences?: boolean;
            /** Format: int32 */
            grade: number;
            /**
             * Format: int64
             * @description The last `seq` of this room that the client has, to get only what it missed.
             */
            since?: number | null;
            /** @enum {string} */
            type: "watch";
        };
        /** @description Watches everyone on the roster of a sitting, or of one of its rooms. */
        WatchOfSitting: {
            /** @description Whether large frames may come as binary messages: the same text as raw deflate. */
            compressed?: boolean;
            /** @description Whether changes come as the fields that differ, and not as whole rows. */
            differences?: boolean;
            /** @description The name of a room. Its proctors see that room alone. */
            room?: string;
            /**
             * Format: int64
             * @description The last `seq` of this room that the client has, to get only what it missed.
             */
            since?: number | null;
            /** Format: uuid */
            sittingId: string;
            /** @enum {string} */
            type: "watch";
        };
        /** @description Watches the sessions that were started from a template. */
        WatchOfTemplate: {
            /** @description Whether large frames may come as binary messages: the same text as raw deflate. */
            compressed?: boolean;
            /** @description Whether changes come as the fields that differ, and not as whole rows. */
            differences?: boolean;
            /**
             * Format: int64
             * @description The last `seq` of this room that the client has, to get only what it missed.
             */
            since?: number | null;
            /** Format: uuid */
            templateId: string;
            /** @enum {string} */
            type: "watch";
        };
        /**
         * @description The questions that are left out because others are still to write them. Until they are shown, no answer is called
         *     right or wrong.
         */
        WithheldQuestions: {
            /** @description How many. */
            count: number;
            /**
             * Format: date-time
             * @description When they are shown at the earliest. Null if that is when the results of the others are released.
             */
            until: string | null;
        };
        /** @description A wrong number that students have typed. */
        WrongNumber: {
            /**
             * Format: int64
             * @description Sessions with a number of this value, however it was typed.
             */
            count: number;
            /** @description As it was first typed. */
            text: string;
        };
        /** @description The measured difficulty of a question in one school year. */
        YearDifficulty: {
            /** Format: int32 */
            answers: number;
            /** Format: double */
            difficulty: number;
            /** Format: double */
            error: number;
            /**
             * Format: int32
             * @description The calendar year in which the school year begins.
             */
            year: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Accommodation = components['schemas']['Accommodation'];
export type AccommodationBody = components['schemas']['AccommodationBody'];
export type AccommodationFields = components['schemas']['AccommodationFields'];
export type AccommodationReport = components['schemas']['AccommodationReport'];
export type AccommodationViews = components['schemas']['AccommodationViews'];
export type Alert = components['schemas']['Alert'];
export type Answer = components['schemas']['Answer'];
export type AnswerLine = components['schemas']['AnswerLine'];
export type Approval = components['schemas']['Approval'];
export type Approvals = components['schemas']['Approvals'];
export type ApprovalStatus = components['schemas']['ApprovalStatus'];
export type Assign = components['schemas']['Assign'];
export type AssignedReviewer = components['schemas']['AssignedReviewer'];
export type Assignment = components['schemas']['Assignment'];
export type AssignmentList = components['schemas']['AssignmentList'];
export type Attendance = components['schemas']['Attendance'];
export type AttendanceOrder = components['schemas']['AttendanceOrder'];
export type Audience = components['schemas']['Audience'];
export type AuditEntryView = components['schemas']['AuditEntryView'];
export type AuditPage = components['schemas']['AuditPage'];
export type Band = components['schemas']['Band'];
export type Begin = components['schemas']['Begin'];
export type BeginOrder = components['schemas']['BeginOrder'];
export type Begun = components['schemas']['Begun'];
export type BucketKind = components['schemas']['BucketKind'];
export type Calculator = components['schemas']['Calculator'];
export type CandidateCounts = components['schemas']['CandidateCounts'];
export type CandidateFields = components['schemas']['CandidateFields'];
export type CandidateJoin = components['schemas']['CandidateJoin'];
export type Candidates = components['schemas']['Candidates'];
export type CandidatesElsewhere = components['schemas']['CandidatesElsewhere'];
export type CandidateState = components['schemas']['CandidateState'];
export type Change = components['schemas']['Change'];
export type ChangedAccommodation = components['schemas']['ChangedAccommodation'];
export type Changes = components['schemas']['Changes'];
export type ChangeUser = components['schemas']['ChangeUser'];
export type CheckedPart = components['schemas']['CheckedPart'];
export type Choice = components['schemas']['Choice'];
export type Class = components['schemas']['Class'];
export type ClassFields = components['schemas']['ClassFields'];
export type ClassInUse = components['schemas']['ClassInUse'];
export type ClassList = components['schemas']['ClassList'];
export type ClassPeopleBody = components['schemas']['ClassPeopleBody'];
export type ClassPerson = components['schemas']['ClassPerson'];
export type ClassPersonFields = components['schemas']['ClassPersonFields'];
export type ClassWithPeople = components['schemas']['ClassWithPeople'];
export type CodeRequest = components['schemas']['CodeRequest'];
export type ComeBack = components['schemas']['ComeBack'];
export type Command = components['schemas']['Command'];
export type Commands = components['schemas']['Commands'];
export type CompletedSession = components['schemas']['CompletedSession'];
export type ConcernedCandidate = components['schemas']['ConcernedCandidate'];
export type ConnectionCheck = components['schemas']['ConnectionCheck'];
export type ConnectionReport = components['schemas']['ConnectionReport'];
export type ConnectionView = components['schemas']['ConnectionView'];
export type CopiedValues = components['schemas']['CopiedValues'];
export type CorrectionAnswer = components['schemas']['CorrectionAnswer'];
export type CorrectionEdit = components['schemas']['CorrectionEdit'];
export type CorrectionKind = components['schemas']['CorrectionKind'];
export type CorrectionList = components['schemas']['CorrectionList'];
export type CorrectionOutlook = components['schemas']['CorrectionOutlook'];
export type CorrectionProgress = components['schemas']['CorrectionProgress'];
export type CorrectionScope = components['schemas']['CorrectionScope'];
export type CorrectKey = components['schemas']['CorrectKey'];
export type CourseLinkList = components['schemas']['CourseLinkList'];
export type CourseLinkView = components['schemas']['CourseLinkView'];
export type CourseReport = components['schemas']['CourseReport'];
export type CourseRoster = components['schemas']['CourseRoster'];
export type Created = components['schemas']['Created'];
export type CreateSession = components['schemas']['CreateSession'];
export type DatabaseHealth = components['schemas']['DatabaseHealth'];
export type Decide = components['schemas']['Decide'];
export type Decided = components['schemas']['Decided'];
export type DecidedLateWork = components['schemas']['DecidedLateWork'];
export type DecideLateWork = components['schemas']['DecideLateWork'];
export type DecisionCounts = components['schemas']['DecisionCounts'];
export type DeliveredQuestion = components['schemas']['DeliveredQuestion'];
export type DeliveryPage = components['schemas']['DeliveryPage'];
export type DeliveryStatus = components['schemas']['DeliveryStatus'];
export type DeliveryView = components['schemas']['DeliveryView'];
export type Deployment = components['schemas']['Deployment'];
export type DeploymentState = components['schemas']['DeploymentState'];
export type DifficultyLine = components['schemas']['DifficultyLine'];
export type DifficultyTargets = components['schemas']['DifficultyTargets'];
export type Done = components['schemas']['Done'];
export type Drawing = components['schemas']['Drawing'];
export type Edit = components['schemas']['Edit'];
export type Edited = components['schemas']['Edited'];
export type EditLog = components['schemas']['EditLog'];
export type EditQuestion = components['schemas']['EditQuestion'];
export type Eliminate = components['schemas']['Eliminate'];
export type ElsewhereSitting = components['schemas']['ElsewhereSitting'];
export type Endpoints = components['schemas']['Endpoints'];
export type EndReason = components['schemas']['EndReason'];
export type EndsMoved = components['schemas']['EndsMoved'];
export type Enter = components['schemas']['Enter'];
export type ErrorBody = components['schemas']['ErrorBody'];
export type EventsView = components['schemas']['EventsView'];
export type EventView = components['schemas']['EventView'];
export type ExplainedMoment = components['schemas']['ExplainedMoment'];
export type ExplainedNumber = components['schemas']['ExplainedNumber'];
export type ExplainedTerms = components['schemas']['ExplainedTerms'];
export type Explanation = components['schemas']['Explanation'];
export type Extended = components['schemas']['Extended'];
export type ExtendOrder = components['schemas']['ExtendOrder'];
export type Focus = components['schemas']['Focus'];
export type FormBy = components['schemas']['FormBy'];
export type FormList = components['schemas']['FormList'];
export type FurtherTokenView = components['schemas']['FurtherTokenView'];
export type GeneratedTemplate = components['schemas']['GeneratedTemplate'];
export type Grade = components['schemas']['Grade'];
export type GradeItems = components['schemas']['GradeItems'];
export type GradeProgress = components['schemas']['GradeProgress'];
export type GrantList = components['schemas']['GrantList'];
export type GrantView = components['schemas']['GrantView'];
export type HallStanding = components['schemas']['HallStanding'];
export type History = components['schemas']['History'];
export type HistoryRequest = components['schemas']['HistoryRequest'];
export type ImportChange = components['schemas']['ImportChange'];
export type ImportReport = components['schemas']['ImportReport'];
export type IncidentOrder = components['schemas']['IncidentOrder'];
export type InvitedUser = components['schemas']['InvitedUser'];
export type ItemFigures = components['schemas']['ItemFigures'];
export type JoinedName = components['schemas']['JoinedName'];
export type JoiningClasses = components['schemas']['JoiningClasses'];
export type JsonWebKey = components['schemas']['JsonWebKey'];
export type JsonWebKeys = components['schemas']['JsonWebKeys'];
export type KeptAnswers = components['schemas']['KeptAnswers'];
export type KeptOut = components['schemas']['KeptOut'];
export type KeyCorrection = components['schemas']['KeyCorrection'];
export type KeyCorrectionScope = components['schemas']['KeyCorrectionScope'];
export type KeyFigures = components['schemas']['KeyFigures'];
export type KeyMistake = components['schemas']['KeyMistake'];
export type KeyView = components['schemas']['KeyView'];
export type LargeChange = components['schemas']['LargeChange'];
export type LastImport = components['schemas']['LastImport'];
export type LateChange = components['schemas']['LateChange'];
export type LateCommand = components['schemas']['LateCommand'];
export type LateCommandKind = components['schemas']['LateCommandKind'];
export type LateCommandState = components['schemas']['LateCommandState'];
export type LateDecision = components['schemas']['LateDecision'];
export type LateRow = components['schemas']['LateRow'];
export type LateRule = components['schemas']['LateRule'];
export type LateWork = components['schemas']['LateWork'];
export type LinkTarget = components['schemas']['LinkTarget'];
export type ListByHand = components['schemas']['ListByHand'];
export type ListedQuestion = components['schemas']['ListedQuestion'];
export type ListedSessionVersion = components['schemas']['ListedSessionVersion'];
export type ListOrder = components['schemas']['ListOrder'];
export type LiveError = components['schemas']['LiveError'];
export type LiveErrorBody = components['schemas']['LiveErrorBody'];
export type LiveErrorCode = components['schemas']['LiveErrorCode'];
export type Liveness = components['schemas']['Liveness'];
export type LivingServer = components['schemas']['LivingServer'];
export type LocalForm = components['schemas']['LocalForm'];
export type LockedQuestion = components['schemas']['LockedQuestion'];
export type Made = components['schemas']['Made'];
export type MadeAccessCode = components['schemas']['MadeAccessCode'];
export type MadeCode = components['schemas']['MadeCode'];
export type MakeUp = components['schemas']['MakeUp'];
export type ManagerStats = components['schemas']['ManagerStats'];
export type Mark = components['schemas']['Mark'];
export type MarkBasis = components['schemas']['MarkBasis'];
export type MarkCount = components['schemas']['MarkCount'];
export type MarkedQuestions = components['schemas']['MarkedQuestions'];
export type MarkLabel = components['schemas']['MarkLabel'];
export type MarkRounding = components['schemas']['MarkRounding'];
export type MarkScale = components['schemas']['MarkScale'];
export type MeasuredDifficulty = components['schemas']['MeasuredDifficulty'];
export type MeView = components['schemas']['MeView'];
export type Mode = components['schemas']['Mode'];
export type MoveCode = components['schemas']['MoveCode'];
export type MovedReason = components['schemas']['MovedReason'];
export type MovedView = components['schemas']['MovedView'];
export type MoveRequest = components['schemas']['MoveRequest'];
export type MyView = components['schemas']['MyView'];
export type NewClass = components['schemas']['NewClass'];
export type NewGrant = components['schemas']['NewGrant'];
export type NewPlatform = components['schemas']['NewPlatform'];
export type NewQuestion = components['schemas']['NewQuestion'];
export type NewSitting = components['schemas']['NewSitting'];
export type NewToken = components['schemas']['NewToken'];
export type Next = components['schemas']['Next'];
export type Notice = components['schemas']['Notice'];
export type NoticeOrder = components['schemas']['NoticeOrder'];
export type NumberedRow = components['schemas']['NumberedRow'];
export type NumberForm = components['schemas']['NumberForm'];
export type NumberLanguage = components['schemas']['NumberLanguage'];
export type OfferedProctor = components['schemas']['OfferedProctor'];
export type OfferedProctors = components['schemas']['OfferedProctors'];
export type OneAccommodation = components['schemas']['OneAccommodation'];
export type OneCandidate = components['schemas']['OneCandidate'];
export type OneClass = components['schemas']['OneClass'];
export type OnePlatform = components['schemas']['OnePlatform'];
export type OneSitting = components['schemas']['OneSitting'];
export type OneTemplate = components['schemas']['OneTemplate'];
export type OnlyThisDeviceOrder = components['schemas']['OnlyThisDeviceOrder'];
export type Order = components['schemas']['Order'];
export type OrderDone = components['schemas']['OrderDone'];
export type OrderedView = components['schemas']['OrderedView'];
export type OrderError = components['schemas']['OrderError'];
export type OrderId = components['schemas']['OrderId'];
export type OrderKind = components['schemas']['OrderKind'];
export type OrderRequest = components['schemas']['OrderRequest'];
export type Outage = components['schemas']['Outage'];
export type OwnAction = components['schemas']['OwnAction'];
export type OwnAttemptsView = components['schemas']['OwnAttemptsView'];
export type OwnAttemptView = components['schemas']['OwnAttemptView'];
export type OwnSitting = components['schemas']['OwnSitting'];
export type OwnSittings = components['schemas']['OwnSittings'];
export type PageLanguage = components['schemas']['PageLanguage'];
export type PageStatus = components['schemas']['PageStatus'];
export type PaperNotes = components['schemas']['PaperNotes'];
export type Paused = components['schemas']['Paused'];
export type PauseOrder = components['schemas']['PauseOrder'];
export type PerformedView = components['schemas']['PerformedView'];
export type PlatformChange = components['schemas']['PlatformChange'];
export type PlatformList = components['schemas']['PlatformList'];
export type PlatformState = components['schemas']['PlatformState'];
export type PlatformView = components['schemas']['PlatformView'];
export type PreviousVersion = components['schemas']['PreviousVersion'];
export type ProctoredSitting = components['schemas']['ProctoredSitting'];
export type ProctoredSittings = components['schemas']['ProctoredSittings'];
export type Progress = components['schemas']['Progress'];
export type ProviderHealth = components['schemas']['ProviderHealth'];
export type PutMyView = components['schemas']['PutMyView'];
export type PutStatus = components['schemas']['PutStatus'];
export type Question = components['schemas']['Question'];
export type QuestionCounts = components['schemas']['QuestionCounts'];
export type QuestionFault = components['schemas']['QuestionFault'];
export type QuestionFaults = components['schemas']['QuestionFaults'];
export type QuestionFigures = components['schemas']['QuestionFigures'];
export type QuestionReview = components['schemas']['QuestionReview'];
export type QuestionsWithReviews = components['schemas']['QuestionsWithReviews'];
export type QuestionTypes = components['schemas']['QuestionTypes'];
export type Readiness = components['schemas']['Readiness'];
export type Ready = components['schemas']['Ready'];
export type Receipt = components['schemas']['Receipt'];
export type ReceiptRequest = components['schemas']['ReceiptRequest'];
export type ReceiveProctorFrame = components['schemas']['ReceiveProctorFrame'];
export type ReceiveStudentFrame = components['schemas']['ReceiveStudentFrame'];
export type RedisHealth = components['schemas']['RedisHealth'];
export type RegistrationFacts = components['schemas']['RegistrationFacts'];
export type ReleasedSitting = components['schemas']['ReleasedSitting'];
export type ReopenOrder = components['schemas']['ReopenOrder'];
export type Reply = components['schemas']['Reply'];
export type ReportQuestions = components['schemas']['ReportQuestions'];
export type ResentScores = components['schemas']['ResentScores'];
export type Restarting = components['schemas']['Restarting'];
export type ResultCandidate = components['schemas']['ResultCandidate'];
export type ResultMark = components['schemas']['ResultMark'];
export type ResultQuestion = components['schemas']['ResultQuestion'];
export type ResultSources = components['schemas']['ResultSources'];
export type ResultsSubject = components['schemas']['ResultsSubject'];
export type Resume = components['schemas']['Resume'];
export type Resumed = components['schemas']['Resumed'];
export type ReviewerProgress = components['schemas']['ReviewerProgress'];
export type ReviewStatus = components['schemas']['ReviewStatus'];
export type Role = components['schemas']['Role'];
export type Room = components['schemas']['Room'];
export type RoomCounts = components['schemas']['RoomCounts'];
export type RoomHead = components['schemas']['RoomHead'];
export type RoomOrderKind = components['schemas']['RoomOrderKind'];
export type RoomOrderRequest = components['schemas']['RoomOrderRequest'];
export type RoomProgress = components['schemas']['RoomProgress'];
export type RoomStart = components['schemas']['RoomStart'];
export type Roster = components['schemas']['Roster'];
export type RosterBody = components['schemas']['RosterBody'];
export type RosterReport = components['schemas']['RosterReport'];
export type RowDifference = components['schemas']['RowDifference'];
export type RowStanding = components['schemas']['RowStanding'];
export type RsaJsonWebKey = components['schemas']['RsaJsonWebKey'];
export type RsaJsonWebKeys = components['schemas']['RsaJsonWebKeys'];
export type RunnerAccess = components['schemas']['RunnerAccess'];
export type RunnerTemplateQuestion = components['schemas']['RunnerTemplate_Question'];
export type SampleCounts = components['schemas']['SampleCounts'];
export type SampleLanguage = components['schemas']['SampleLanguage'];
export type SamplesChanged = components['schemas']['SamplesChanged'];
export type Saved = components['schemas']['Saved'];
export type SavedAnswer = components['schemas']['SavedAnswer'];
export type SchoolChange = components['schemas']['SchoolChange'];
export type SchoolScale = components['schemas']['SchoolScale'];
export type SchoolSettingsView = components['schemas']['SchoolSettingsView'];
export type SchoolView = components['schemas']['SchoolView'];
export type ScoreBin = components['schemas']['ScoreBin'];
export type ScoreChange = components['schemas']['ScoreChange'];
export type ScoreDeliveryView = components['schemas']['ScoreDeliveryView'];
export type ScoreForm = components['schemas']['ScoreForm'];
export type ScorePage = components['schemas']['ScorePage'];
export type SealedPartView = components['schemas']['SealedPartView'];
export type SecureChange = components['schemas']['SecureChange'];
export type SecureQuestions = components['schemas']['SecureQuestions'];
export type SeenFields = components['schemas']['SeenFields'];
export type SendProctorFrame = components['schemas']['SendProctorFrame'];
export type SendStudentFrame = components['schemas']['SendStudentFrame'];
export type SentEvent = components['schemas']['SentEvent'];
export type ServiceHealth = components['schemas']['ServiceHealth'];
export type Session = components['schemas']['Session'];
export type SessionAnswer = components['schemas']['SessionAnswer'];
export type SessionEntry = components['schemas']['SessionEntry'];
export type SessionEvent = components['schemas']['SessionEvent'];
export type SessionList = components['schemas']['SessionList'];
export type SessionOrigin = components['schemas']['SessionOrigin'];
export type SessionPage = components['schemas']['SessionPage'];
export type SessionResult = components['schemas']['SessionResult'];
export type SessionRow = components['schemas']['SessionRow'];
export type SessionState = components['schemas']['SessionState'];
export type SessionSummary = components['schemas']['SessionSummary'];
export type SessionsView = components['schemas']['SessionsView'];
export type SessionVersions = components['schemas']['SessionVersions'];
export type ShowAnswers = components['schemas']['ShowAnswers'];
export type SignInsView = components['schemas']['SignInsView'];
export type SignInView = components['schemas']['SignInView'];
export type Sitting = components['schemas']['Sitting'];
export type SittingAgain = components['schemas']['SittingAgain'];
export type SittingCandidate = components['schemas']['SittingCandidate'];
export type SittingCandidates = components['schemas']['SittingCandidates'];
export type SittingChange = components['schemas']['SittingChange'];
export type SittingIncident = components['schemas']['SittingIncident'];
export type SittingIncidents = components['schemas']['SittingIncidents'];
export type SittingList = components['schemas']['SittingList'];
export type SittingLog = components['schemas']['SittingLog'];
export type SittingResult = components['schemas']['SittingResult'];
export type SittingResults = components['schemas']['SittingResults'];
export type SittingRoom = components['schemas']['SittingRoom'];
export type SittingRoomFields = components['schemas']['SittingRoomFields'];
export type SittingState = components['schemas']['SittingState'];
export type SourceGrade = components['schemas']['SourceGrade'];
export type SourceSitting = components['schemas']['SourceSitting'];
export type SourceTemplate = components['schemas']['SourceTemplate'];
export type StaffResult = components['schemas']['StaffResult'];
export type StaffResults = components['schemas']['StaffResults'];
export type Stage = components['schemas']['Stage'];
export type Standing = components['schemas']['Standing'];
export type StandingState = components['schemas']['StandingState'];
export type Start = components['schemas']['Start'];
export type Started = components['schemas']['Started'];
export type StartOfGrade = components['schemas']['StartOfGrade'];
export type StartOfTemplate = components['schemas']['StartOfTemplate'];
export type StartOrEnter = components['schemas']['StartOrEnter'];
export type StartRule = components['schemas']['StartRule'];
export type StatusMessage = components['schemas']['StatusMessage'];
export type StatusSettings = components['schemas']['StatusSettings'];
export type StoredSession = components['schemas']['StoredSession'];
export type SubjectKind = components['schemas']['SubjectKind'];
export type Submit = components['schemas']['Submit'];
export type SubmitReview = components['schemas']['SubmitReview'];
export type Submitted = components['schemas']['Submitted'];
export type Superseded = components['schemas']['Superseded'];
export type SwapBody = components['schemas']['SwapBody'];
export type SwapBucket = components['schemas']['SwapBucket'];
export type SwappedTemplate = components['schemas']['SwappedTemplate'];
export type Sync = components['schemas']['Sync'];
export type TakenLateFile = components['schemas']['TakenLateFile'];
export type TemplateAccess = components['schemas']['TemplateAccess'];
export type TemplateChange = components['schemas']['TemplateChange'];
export type TemplateConfig = components['schemas']['TemplateConfig'];
export type TemplateList = components['schemas']['TemplateList'];
export type TemplateMarkScale = components['schemas']['TemplateMarkScale'];
export type TemplateSummary = components['schemas']['TemplateSummary'];
export type TestEventReport = components['schemas']['TestEventReport'];
export type TestEventRequest = components['schemas']['TestEventRequest'];
export type TestResult = components['schemas']['TestResult'];
export type TestTemplate = components['schemas']['TestTemplate'];
export type Time = components['schemas']['Time'];
export type TokensView = components['schemas']['TokensView'];
export type TokenView = components['schemas']['TokenView'];
export type TopicLine = components['schemas']['TopicLine'];
export type Trouble = components['schemas']['Trouble'];
export type TroubleReport = components['schemas']['TroubleReport'];
export type Unchanged = components['schemas']['Unchanged'];
export type UnchangedSession = components['schemas']['UnchangedSession'];
export type UndoneRoster = components['schemas']['UndoneRoster'];
export type UngradedReason = components['schemas']['UngradedReason'];
export type UngradedView = components['schemas']['UngradedView'];
export type UnjoinedPeople = components['schemas']['UnjoinedPeople'];
export type UnjoinedPerson = components['schemas']['UnjoinedPerson'];
export type Unpaused = components['schemas']['Unpaused'];
export type UpdatesView = components['schemas']['UpdatesView'];
export type UploadedPicture = components['schemas']['UploadedPicture'];
export type User = components['schemas']['User'];
export type ValueSource = components['schemas']['ValueSource'];
export type VersionReason = components['schemas']['VersionReason'];
export type View = components['schemas']['View'];
export type Visit = components['schemas']['Visit'];
export type Waiting = components['schemas']['Waiting'];
export type WaitingPause = components['schemas']['WaitingPause'];
export type WaitingWork = components['schemas']['WaitingWork'];
export type Watch = components['schemas']['Watch'];
export type WatchOfGrade = components['schemas']['WatchOfGrade'];
export type WatchOfSitting = components['schemas']['WatchOfSitting'];
export type WatchOfTemplate = components['schemas']['WatchOfTemplate'];
export type WithheldQuestions = components['schemas']['WithheldQuestions'];
export type WrongNumber = components['schemas']['WrongNumber'];
export type YearDifficulty = components['schemas']['YearDifficulty'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
