// Written by tests/clients from the documents of the server; do not edit.

export interface paths {
    "/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description Those of this event. */
                    event?: number;
                    /** @description Without these. */
                    exclude?: number[];
                    /** @description Whether those that no published event has are left out. */
                    hide_empty?: boolean;
                    /** @description Only these. */
                    include?: number[];
                    /** @description `asc` or `desc`. */
                    order?: string;
                    /** @description By what they are sorted. */
                    orderby?: string;
                    /** @description The page to return. */
                    page?: number;
                    /** @description Those right below this one. */
                    parent?: number;
                    /** @description How many to return on each page, 50 at most. */
                    per_page?: number;
                    /** @description Those of this event. */
                    post?: number;
                    /** @description What they have in their texts. */
                    search?: string;
                    /** @description The one of this slug. */
                    slug?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What was asked for */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            categories: components["schemas"]["Term"][];
                            next_rest_url?: string;
                            previous_rest_url?: string;
                            rest_url: string;
                            total: number;
                            total_pages: number;
                        };
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
                    "application/json": {
                        /** @description Its description. */
                        description?: string;
                        /** @description Its name. */
                        name: string;
                        /** @description The category that it belongs to; 0 for none. */
                        parent?: number;
                        /** @description What stands for it in addresses. */
                        slug?: string;
                    };
                };
            };
            responses: {
                /** @description The new record */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Term"];
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
    "/categories/{id}": {
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
                    /** @description The category's number. */
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What was asked for */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Term"];
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
                    /** @description The category's number. */
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        /** @description Its description. */
                        description?: string;
                        /** @description Its name. */
                        name?: string;
                        /** @description The category that it belongs to; 0 for none. */
                        parent?: number;
                        /** @description What stands for it in addresses. */
                        slug?: string;
                    };
                    "application/x-www-form-urlencoded": {
                        /** @description Its description. */
                        description?: string;
                        /** @description Its name. */
                        name?: string;
                        /** @description The category that it belongs to; 0 for none. */
                        parent?: number;
                        /** @description What stands for it in addresses. */
                        slug?: string;
                    };
                };
            };
            responses: {
                /** @description The record as it is now */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Term"];
                    };
                };
            };
        };
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The category's number. */
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The record that was removed */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Term"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/doc": {
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
                /** @description What was asked for */
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
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description Events in one of these categories or below them; numbers or slugs. */
                    categories?: string[];
                    /** @description Events that start before the end of this day. */
                    end_date?: string;
                    /** @description Events that end after this day. */
                    ends_after?: string;
                    /** @description Events that end before the last second of this day. */
                    ends_before?: string;
                    /** @description Events that are featured, or are not. */
                    featured?: boolean;
                    /** @description Events whose venue is known to be somewhere on the globe, or is not. */
                    geoloc?: boolean;
                    /** @description Events around this latitude; with `geoloc_lng`. */
                    geoloc_lat?: number;
                    /** @description Events around this longitude; with `geoloc_lat`. */
                    geoloc_lng?: number;
                    /** @description 1: as iCalendar. */
                    ical?: unknown;
                    /** @description These events; dates don't count then. */
                    include?: number[];
                    /** @description Events of one of these organizers. */
                    organizer?: number[];
                    /** @description The page to return. */
                    page?: number;
                    /** @description How many to return on each page, 50 at most. */
                    per_page?: number;
                    /** @description Events that belong to this one. */
                    post_parent?: number;
                    /** @description What they have in their texts. */
                    search?: string;
                    /** @description Events that start on this day or later. */
                    start_date?: string;
                    /** @description Events that start after this day. */
                    starts_after?: string;
                    /** @description Events that start before the last second of this day. */
                    starts_before?: string;
                    /** @description Their status; several with commas. */
                    status?: string;
                    /** @description Whether dates are taken to the second. */
                    strict_dates?: string;
                    /** @description Events with one of these tags; numbers or slugs. */
                    tags?: string[];
                    /** @description Needs an extension that is not here. */
                    ticketed?: unknown;
                    /** @description Events at one of these venues. */
                    venue?: number[];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What was asked for; with `ical=1` as `text/calendar` */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            events: components["schemas"]["Event"][];
                            next_rest_url?: string;
                            previous_rest_url?: string;
                            rest_url: string;
                            total: number;
                            total_pages: number;
                        };
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
                    "application/json": {
                        /** @description Whether it takes whole days. */
                        all_day?: boolean;
                        /** @description The author's number. */
                        author?: number;
                        /** @description Its categories: numbers, slugs or names. */
                        categories?: string[];
                        /** @description What it costs: a text, or several. */
                        cost?: unknown;
                        /**
                         * @description When it is published, in the site's zone.
                         * @example 2027-01-10 09:00:00
                         */
                        date?: string;
                        /**
                         * @description When it is published, in UTC.
                         * @example 2027-01-10 09:00:00
                         */
                        date_utc?: string;
                        /** @description Its description, HTML. */
                        description?: string;
                        /**
                         * @description When it ends, on the clocks of its zone.
                         * @example 2027-01-10 09:00:00
                         */
                        end_date: string;
                        /** @description The exam that it announces: `templateId`, or `grade`, `mode`, `durationMinutes`; and `opensMinutesBefore`; or `sittingId` alone. */
                        exam?: Record<string, never>;
                        /** @description Its description in short, HTML. */
                        excerpt?: string;
                        /** @description Whether it is featured. */
                        featured?: boolean;
                        /** @description Whether no list shows it. */
                        hide_from_listings?: boolean;
                        /** @description The link of its picture. */
                        image?: string;
                        /** @description Who holds it: numbers, or the data of organizers. */
                        organizer?: unknown;
                        /** @description Whether a map is shown. */
                        show_map?: boolean;
                        /** @description Whether a link to a map is shown. */
                        show_map_link?: boolean;
                        /** @description What stands for it in addresses. */
                        slug?: string;
                        /**
                         * @description When it starts, on the clocks of its zone.
                         * @example 2027-01-10 09:00:00
                         */
                        start_date: string;
                        /**
                         * @description Its status.
                         * @enum {string}
                         */
                        status?: "publish" | "future" | "draft" | "pending" | "private" | "trash" | "auto-draft" | "inherit";
                        /** @description Whether it sticks out. */
                        sticky?: boolean;
                        /** @description Its tags: numbers, slugs or names. */
                        tags?: string[];
                        /** @description The zone of its clocks. */
                        timezone?: string;
                        /** @description Its title, HTML. */
                        title: string;
                        /** @description Where it takes place: a number, or the data of a venue. */
                        venue?: unknown;
                        /** @description Its website; of an event with an exam the exam's link when it is absent. */
                        website?: string;
                    };
                };
            };
            responses: {
                /** @description The new record */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Event"];
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
    "/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description 1: as iCalendar. */
                    ical?: unknown;
                    /** @description Means nothing here. */
                    password?: unknown;
                };
                header?: never;
                path: {
                    /** @description The event's number. */
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What was asked for; with `ical=1` as `text/calendar` */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Event"];
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
                    /** @description The event's number. */
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        /** @description Whether it takes whole days. */
                        all_day?: boolean;
                        /** @description The author's number. */
                        author?: number;
                        /** @description Its categories: numbers, slugs or names. */
                        categories?: string[];
                        /** @description What it costs: a text, or several. */
                        cost?: unknown;
                        /**
                         * @description When it is published, in the site's zone.
                         * @example 2027-01-10 09:00:00
                         */
                        date?: string;
                        /**
                         * @description When it is published, in UTC.
                         * @example 2027-01-10 09:00:00
                         */
                        date_utc?: string;
                        /** @description Its description, HTML. */
                        description?: string;
                        /**
                         * @description When it ends, on the clocks of its zone.
                         * @example 2027-01-10 09:00:00
                         */
                        end_date?: string;
                        /** @description The exam that it announces: `templateId`, or `grade`, `mode`, `durationMinutes`; and `opensMinutesBefore`; or `sittingId` alone. */
                        exam?: Record<string, never>;
                        /** @description Its description in short, HTML. */
                        excerpt?: string;
                        /** @description Whether it is featured. */
                        featured?: boolean;
                        /** @description Whether no list shows it. */
                        hide_from_listings?: boolean;
                        /** @description The link of its picture. */
                        image?: string;
                        /** @description Who holds it: numbers, or the data of organizers. */
                        organizer?: unknown;
                        /** @description Whether a map is shown. */
                        show_map?: boolean;
                        /** @description Whether a link to a map is shown. */
                        show_map_link?: boolean;
                        /** @description What stands for it in addresses. */
                        slug?: string;
                        /**
                         * @description When it starts, on the clocks of its zone.
                         * @example 2027-01-10 09:00:00
                         */
                        start_date?: string;
                        /**
                         * @description Its status.
                         * @enum {string}
                         */
                        status?: "publish" | "future" | "draft" | "pending" | "private" | "trash" | "auto-draft" | "inherit";
                        /** @description Whether it sticks out. */
                        sticky?: boolean;
                        /** @description Its tags: numbers, slugs or names. */
                        tags?: string[];
                        /** @description The zone of its clocks. */
                        timezone?: string;
                        /** @description Its title, HTML. */
                        title?: string;
                        /** @description Where it takes place: a number, or the data of a venue. */
                        venue?: unknown;
                        /** @description Its website; of an event with an exam the exam's link when it is absent. */
                        website?: string;
                    };
                    "application/x-www-form-urlencoded": {
                        /** @description Whether it takes whole days. */
                        all_day?: boolean;
                        /** @description The author's number. */
                        author?: number;
                        /** @description Its categories: numbers, slugs or names. */
                        categories?: string[];
                        /** @description What it costs: a text, or several. */
                        cost?: unknown;
                        /**
                         * @description When it is published, in the site's zone.
                         * @example 2027-01-10 09:00:00
                         */
                        date?: string;
                        /**
                         * @description When it is published, in UTC.
                         * @example 2027-01-10 09:00:00
                         */
                        date_utc?: string;
                        /** @description Its description, HTML. */
                        description?: string;
                        /**
                         * @description When it ends, on the clocks of its zone.
                         * @example 2027-01-10 09:00:00
                         */
                        end_date?: string;
                        /** @description The exam that it announces: `templateId`, or `grade`, `mode`, `durationMinutes`; and `opensMinutesBefore`; or `sittingId` alone. */
                        exam?: Record<string, never>;
                        /** @description Its description in short, HTML. */
                        excerpt?: string;
                        /** @description Whether it is featured. */
                        featured?: boolean;
                        /** @description Whether no list shows it. */
                        hide_from_listings?: boolean;
                        /** @description The link of its picture. */
                        image?: string;
                        /** @description Who holds it: numbers, or the data of organizers. */
                        organizer?: unknown;
                        /** @description Whether a map is shown. */
                        show_map?: boolean;
                        /** @description Whether a link to a map is shown. */
                        show_map_link?: boolean;
                        /** @description What stands for it in addresses. */
                        slug?: string;
                        /**
                         * @description When it starts, on the clocks of its zone.
                         * @example 2027-01-10 09:00:00
                         */
                        start_date?: string;
                        /**
                         * @description Its status.
                         * @enum {string}
                         */
                        status?: "publish" | "future" | "draft" | "pending" | "private" | "trash" | "auto-draft" | "inherit";
                        /** @description Whether it sticks out. */
                        sticky?: boolean;
                        /** @description Its tags: numbers, slugs or names. */
                        tags?: string[];
                        /** @description The zone of its clocks. */
                        timezone?: string;
                        /** @description Its title, HTML. */
                        title?: string;
                        /** @description Where it takes place: a number, or the data of a venue. */
                        venue?: unknown;
                        /** @description Its website; of an event with an exam the exam's link when it is absent. */
                        website?: string;
                    };
                };
            };
            responses: {
                /** @description The record as it is now */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Event"];
                    };
                };
            };
        };
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The event's number. */
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The record that was removed */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Event"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/by-slug/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description 1: as iCalendar. */
                    ical?: unknown;
                    /** @description Means nothing here. */
                    password?: unknown;
                };
                header?: never;
                path: {
                    /** @description The event's slug. */
                    slug: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What was asked for; with `ical=1` as `text/calendar` */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Event"];
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
                    /** @description The event's slug. */
                    slug: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        /** @description Whether it takes whole days. */
                        all_day?: boolean;
                        /** @description The author's number. */
                        author?: number;
                        /** @description Its categories: numbers, slugs or names. */
                        categories?: string[];
                        /** @description What it costs: a text, or several. */
                        cost?: unknown;
                        /**
                         * @description When it is published, in the site's zone.
                         * @example 2027-01-10 09:00:00
                         */
                        date?: string;
                        /**
                         * @description When it is published, in UTC.
                         * @example 2027-01-10 09:00:00
                         */
                        date_utc?: string;
                        /** @description Its description, HTML. */
                        description?: string;
                        /**
                         * @description When it ends, on the clocks of its zone.
                         * @example 2027-01-10 09:00:00
                         */
                        end_date?: string;
                        /** @description The exam that it announces: `templateId`, or `grade`, `mode`, `durationMinutes`; and `opensMinutesBefore`; or `sittingId` alone. */
                        exam?: Record<string, never>;
                        /** @description Its description in short, HTML. */
                        excerpt?: string;
                        /** @description Whether it is featured. */
                        featured?: boolean;
                        /** @description Whether no list shows it. */
                        hide_from_listings?: boolean;
                        /** @description The link of its picture. */
                        image?: string;
                        /** @description Who holds it: numbers, or the data of organizers. */
                        organizer?: unknown;
                        /** @description Whether a map is shown. */
                        show_map?: boolean;
                        /** @description Whether a link to a map is shown. */
                        show_map_link?: boolean;
                        /** @description What stands for it in addresses. */
                        slug?: string;
                        /**
                         * @description When it starts, on the clocks of its zone.
                         * @example 2027-01-10 09:00:00
                         */
                        start_date?: string;
                        /**
                         * @description Its status.
                         * @enum {string}
                         */
                        status?: "publish" | "future" | "draft" | "pending" | "private" | "trash" | "auto-draft" | "inherit";
                        /** @description Whether it sticks out. */
                        sticky?: boolean;
                        /** @description Its tags: numbers, slugs or names. */
                        tags?: string[];
                        /** @description The zone of its clocks. */
                        timezone?: string;
                        /** @description Its title, HTML. */
                        title?: string;
                        /** @description Where it takes place: a number, or the data of a venue. */
                        venue?: unknown;
                        /** @description Its website; of an event with an exam the exam's link when it is absent. */
                        website?: string;
                    };
                    "application/x-www-form-urlencoded": {
                        /** @description Whether it takes whole days. */
                        all_day?: boolean;
                        /** @description The author's number. */
                        author?: number;
                        /** @description Its categories: numbers, slugs or names. */
                        categories?: string[];
                        /** @description What it costs: a text, or several. */
                        cost?: unknown;
                        /**
                         * @description When it is published, in the site's zone.
                         * @example 2027-01-10 09:00:00
                         */
                        date?: string;
                        /**
                         * @description When it is published, in UTC.
                         * @example 2027-01-10 09:00:00
                         */
                        date_utc?: string;
                        /** @description Its description, HTML. */
                        description?: string;
                        /**
                         * @description When it ends, on the clocks of its zone.
                         * @example 2027-01-10 09:00:00
                         */
                        end_date?: string;
                        /** @description The exam that it announces: `templateId`, or `grade`, `mode`, `durationMinutes`; and `opensMinutesBefore`; or `sittingId` alone. */
                        exam?: Record<string, never>;
                        /** @description Its description in short, HTML. */
                        excerpt?: string;
                        /** @description Whether it is featured. */
                        featured?: boolean;
                        /** @description Whether no list shows it. */
                        hide_from_listings?: boolean;
                        /** @description The link of its picture. */
                        image?: string;
                        /** @description Who holds it: numbers, or the data of organizers. */
                        organizer?: unknown;
                        /** @description Whether a map is shown. */
                        show_map?: boolean;
                        /** @description Whether a link to a map is shown. */
                        show_map_link?: boolean;
                        /** @description What stands for it in addresses. */
                        slug?: string;
                        /**
                         * @description When it starts, on the clocks of its zone.
                         * @example 2027-01-10 09:00:00
                         */
                        start_date?: string;
                        /**
                         * @description Its status.
                         * @enum {string}
                         */
                        status?: "publish" | "future" | "draft" | "pending" | "private" | "trash" | "auto-draft" | "inherit";
                        /** @description Whether it sticks out. */
                        sticky?: boolean;
                        /** @description Its tags: numbers, slugs or names. */
                        tags?: string[];
                        /** @description The zone of its clocks. */
                        timezone?: string;
                        /** @description Its title, HTML. */
                        title?: string;
                        /** @description Where it takes place: a number, or the data of a venue. */
                        venue?: unknown;
                        /** @description Its website; of an event with an exam the exam's link when it is absent. */
                        website?: string;
                    };
                };
            };
            responses: {
                /** @description The record as it is now */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Event"];
                    };
                };
            };
        };
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The event's slug. */
                    slug: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The record that was removed */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Event"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description Those of this event. */
                    event?: number;
                    /** @description Those with events, or without. */
                    has_events?: boolean;
                    /** @description Those with events to come. */
                    only_with_upcoming?: boolean;
                    /** @description The page to return. */
                    page?: number;
                    /** @description How many to return on each page, 50 at most. */
                    per_page?: number;
                    /** @description What they have in their texts. */
                    search?: string;
                    /** @description Their status; several with commas. */
                    status?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What was asked for */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            next_rest_url?: string;
                            organizers: components["schemas"]["Organizer"][];
                            previous_rest_url?: string;
                            rest_url: string;
                            total: number;
                            total_pages: number;
                        };
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
                    "application/json": {
                        /** @description The author's number. */
                        author?: number;
                        /**
                         * @description When it is published, in the site's zone.
                         * @example 2027-01-10 09:00:00
                         */
                        date?: string;
                        /**
                         * @description When it is published, in UTC.
                         * @example 2027-01-10 09:00:00
                         */
                        date_utc?: string;
                        /** @description Its description, HTML. */
                        description?: string;
                        /** @description The e-mail address. */
                        email?: string;
                        /** @description The link of its picture. */
                        image?: string;
                        /** @description The name, HTML. */
                        organizer: string;
                        /** @description Its phone number. */
                        phone?: string;
                        /**
                         * @description Its status.
                         * @enum {string}
                         */
                        status?: "publish" | "future" | "draft" | "pending" | "private" | "trash" | "auto-draft" | "inherit";
                        /** @description Its website. */
                        website?: string;
                    };
                };
            };
            responses: {
                /** @description The new record */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Organizer"];
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
    "/organizers/{id}": {
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
                    /** @description The organizer's number. */
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What was asked for */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Organizer"];
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
                    /** @description The organizer's number. */
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        /** @description The author's number. */
                        author?: number;
                        /**
                         * @description When it is published, in the site's zone.
                         * @example 2027-01-10 09:00:00
                         */
                        date?: string;
                        /**
                         * @description When it is published, in UTC.
                         * @example 2027-01-10 09:00:00
                         */
                        date_utc?: string;
                        /** @description Its description, HTML. */
                        description?: string;
                        /** @description The e-mail address. */
                        email?: string;
                        /** @description The link of its picture. */
                        image?: string;
                        /** @description The name, HTML. */
                        organizer?: string;
                        /** @description Its phone number. */
                        phone?: string;
                        /**
                         * @description Its status.
                         * @enum {string}
                         */
                        status?: "publish" | "future" | "draft" | "pending" | "private" | "trash" | "auto-draft" | "inherit";
                        /** @description Its website. */
                        website?: string;
                    };
                    "application/x-www-form-urlencoded": {
                        /** @description The author's number. */
                        author?: number;
                        /**
                         * @description When it is published, in the site's zone.
                         * @example 2027-01-10 09:00:00
                         */
                        date?: string;
                        /**
                         * @description When it is published, in UTC.
                         * @example 2027-01-10 09:00:00
                         */
                        date_utc?: string;
                        /** @description Its description, HTML. */
                        description?: string;
                        /** @description The e-mail address. */
                        email?: string;
                        /** @description The link of its picture. */
                        image?: string;
                        /** @description The name, HTML. */
                        organizer?: string;
                        /** @description Its phone number. */
                        phone?: string;
                        /**
                         * @description Its status.
                         * @enum {string}
                         */
                        status?: "publish" | "future" | "draft" | "pending" | "private" | "trash" | "auto-draft" | "inherit";
                        /** @description Its website. */
                        website?: string;
                    };
                };
            };
            responses: {
                /** @description The record as it is now */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Organizer"];
                    };
                };
            };
        };
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The organizer's number. */
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The record that was removed */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Organizer"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizers/by-slug/{slug}": {
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
                    /** @description The organizer's slug. */
                    slug: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What was asked for */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Organizer"];
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
                    /** @description The organizer's slug. */
                    slug: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        /** @description The author's number. */
                        author?: number;
                        /**
                         * @description When it is published, in the site's zone.
                         * @example 2027-01-10 09:00:00
                         */
                        date?: string;
                        /**
                         * @description When it is published, in UTC.
                         * @example 2027-01-10 09:00:00
                         */
                        date_utc?: string;
                        /** @description Its description, HTML. */
                        description?: string;
                        /** @description The e-mail address. */
                        email?: string;
                        /** @description The link of its picture. */
                        image?: string;
                        /** @description The name, HTML. */
                        organizer?: string;
                        /** @description Its phone number. */
                        phone?: string;
                        /**
                         * @description Its status.
                         * @enum {string}
                         */
                        status?: "publish" | "future" | "draft" | "pending" | "private" | "trash" | "auto-draft" | "inherit";
                        /** @description Its website. */
                        website?: string;
                    };
                    "application/x-www-form-urlencoded": {
                        /** @description The author's number. */
                        author?: number;
                        /**
                         * @description When it is published, in the site's zone.
                         * @example 2027-01-10 09:00:00
                         */
                        date?: string;
                        /**
                         * @description When it is published, in UTC.
                         * @example 2027-01-10 09:00:00
                         */
                        date_utc?: string;
                        /** @description Its description, HTML. */
                        description?: string;
                        /** @description The e-mail address. */
                        email?: string;
                        /** @description The link of its picture. */
                        image?: string;
                        /** @description The name, HTML. */
                        organizer?: string;
                        /** @description Its phone number. */
                        phone?: string;
                        /**
                         * @description Its status.
                         * @enum {string}
                         */
                        status?: "publish" | "future" | "draft" | "pending" | "private" | "trash" | "auto-draft" | "inherit";
                        /** @description Its website. */
                        website?: string;
                    };
                };
            };
            responses: {
                /** @description The record as it is now */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Organizer"];
                    };
                };
            };
        };
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The organizer's slug. */
                    slug: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The record that was removed */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Organizer"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description Those of this event. */
                    event?: number;
                    /** @description Without these. */
                    exclude?: number[];
                    /** @description Whether those that no published event has are left out. */
                    hide_empty?: boolean;
                    /** @description Only these. */
                    include?: number[];
                    /** @description `asc` or `desc`. */
                    order?: string;
                    /** @description By what they are sorted. */
                    orderby?: string;
                    /** @description The page to return. */
                    page?: number;
                    /** @description How many to return on each page, 50 at most. */
                    per_page?: number;
                    /** @description Those of this event. */
                    post?: number;
                    /** @description What they have in their texts. */
                    search?: string;
                    /** @description The one of this slug. */
                    slug?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What was asked for */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            next_rest_url?: string;
                            previous_rest_url?: string;
                            rest_url: string;
                            tags: components["schemas"]["Term"][];
                            total: number;
                            total_pages: number;
                        };
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
                    "application/json": {
                        /** @description Its description. */
                        description?: string;
                        /** @description Its name. */
                        name: string;
                        /** @description What stands for it in addresses. */
                        slug?: string;
                    };
                };
            };
            responses: {
                /** @description The new record */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Term"];
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
    "/tags/{id}": {
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
                    /** @description The tag's number. */
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What was asked for */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Term"];
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
                    /** @description The tag's number. */
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        /** @description Its description. */
                        description?: string;
                        /** @description Its name. */
                        name?: string;
                        /** @description What stands for it in addresses. */
                        slug?: string;
                    };
                    "application/x-www-form-urlencoded": {
                        /** @description Its description. */
                        description?: string;
                        /** @description Its name. */
                        name?: string;
                        /** @description What stands for it in addresses. */
                        slug?: string;
                    };
                };
            };
            responses: {
                /** @description The record as it is now */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Term"];
                    };
                };
            };
        };
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The tag's number. */
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The record that was removed */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Term"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/venues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    /** @description Those of this event. */
                    event?: number;
                    /** @description Those with events, or without. */
                    has_events?: boolean;
                    /** @description Those with events to come. */
                    only_with_upcoming?: boolean;
                    /** @description The page to return. */
                    page?: number;
                    /** @description How many to return on each page, 50 at most. */
                    per_page?: number;
                    /** @description What they have in their texts. */
                    search?: string;
                    /** @description Their status; several with commas. */
                    status?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What was asked for */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            next_rest_url?: string;
                            previous_rest_url?: string;
                            rest_url: string;
                            total: number;
                            total_pages: number;
                            venues: components["schemas"]["Venue"][];
                        };
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
                    "application/json": {
                        /** @description Street and number. */
                        address?: string;
                        /** @description The author's number. */
                        author?: number;
                        /** @description City. */
                        city?: string;
                        /** @description Country. */
                        country?: string;
                        /**
                         * @description When it is published, in the site's zone.
                         * @example 2027-01-10 09:00:00
                         */
                        date?: string;
                        /**
                         * @description When it is published, in UTC.
                         * @example 2027-01-10 09:00:00
                         */
                        date_utc?: string;
                        /** @description Its description, HTML. */
                        description?: string;
                        /** @description Degrees north. */
                        geo_lat?: number;
                        /** @description Degrees east. */
                        geo_lng?: number;
                        /** @description The link of its picture. */
                        image?: string;
                        /** @description Its phone number. */
                        phone?: string;
                        /** @description Province. */
                        province?: string;
                        /** @description Whether a map is shown: `true` or `false`. */
                        show_map?: string;
                        /** @description Whether a link to a map is shown: `true` or `false`. */
                        show_map_link?: string;
                        /** @description State. */
                        state?: string;
                        /** @description State or province, when it is neither of both. */
                        stateprovince?: string;
                        /**
                         * @description Its status.
                         * @enum {string}
                         */
                        status?: "publish" | "future" | "draft" | "pending" | "private" | "trash" | "auto-draft" | "inherit";
                        /** @description Its name, HTML. */
                        venue: string;
                        /** @description Its website. */
                        website?: string;
                        /** @description Postal code. */
                        zip?: string;
                    };
                };
            };
            responses: {
                /** @description The new record */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Venue"];
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
    "/venues/{id}": {
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
                    /** @description The venue's number. */
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What was asked for */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Venue"];
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
                    /** @description The venue's number. */
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        /** @description Street and number. */
                        address?: string;
                        /** @description The author's number. */
                        author?: number;
                        /** @description City. */
                        city?: string;
                        /** @description Country. */
                        country?: string;
                        /**
                         * @description When it is published, in the site's zone.
                         * @example 2027-01-10 09:00:00
                         */
                        date?: string;
                        /**
                         * @description When it is published, in UTC.
                         * @example 2027-01-10 09:00:00
                         */
                        date_utc?: string;
                        /** @description Its description, HTML. */
                        description?: string;
                        /** @description Degrees north. */
                        geo_lat?: number;
                        /** @description Degrees east. */
                        geo_lng?: number;
                        /** @description The link of its picture. */
                        image?: string;
                        /** @description Its phone number. */
                        phone?: string;
                        /** @description Province. */
                        province?: string;
                        /** @description Whether a map is shown: `true` or `false`. */
                        show_map?: string;
                        /** @description Whether a link to a map is shown: `true` or `false`. */
                        show_map_link?: string;
                        /** @description State. */
                        state?: string;
                        /** @description State or province, when it is neither of both. */
                        stateprovince?: string;
                        /**
                         * @description Its status.
                         * @enum {string}
                         */
                        status?: "publish" | "future" | "draft" | "pending" | "private" | "trash" | "auto-draft" | "inherit";
                        /** @description Its name, HTML. */
                        venue?: string;
                        /** @description Its website. */
                        website?: string;
                        /** @description Postal code. */
                        zip?: string;
                    };
                    "application/x-www-form-urlencoded": {
                        /** @description Street and number. */
                        address?: string;
                        /** @description The author's number. */
                        author?: number;
                        /** @description City. */
                        city?: string;
                        /** @description Country. */
                        country?: string;
                        /**
                         * @description When it is published, in the site's zone.
                         * @example 2027-01-10 09:00:00
                         */
                        date?: string;
                        /**
                         * @description When it is published, in UTC.
                         * @example 2027-01-10 09:00:00
                         */
                        date_utc?: string;
                        /** @description Its description, HTML. */
                        description?: string;
                        /** @description Degrees north. */
                        geo_lat?: number;
                        /** @description Degrees east. */
                        geo_lng?: number;
                        /** @description The link of its picture. */
                        image?: string;
                        /** @description Its phone number. */
                        phone?: string;
                        /** @description Province. */
                        province?: string;
                        /** @description Whether a map is shown: `true` or `false`. */
                        show_map?: string;
                        /** @description Whether a link to a map is shown: `true` or `false`. */
                        show_map_link?: string;
                        /** @description State. */
                        state?: string;
                        /** @description State or province, when it is neither of both. */
                        stateprovince?: string;
                        /**
                         * @description Its status.
                         * @enum {string}
                         */
                        status?: "publish" | "future" | "draft" | "pending" | "private" | "trash" | "auto-draft" | "inherit";
                        /** @description Its name, HTML. */
                        venue?: string;
                        /** @description Its website. */
                        website?: string;
                        /** @description Postal code. */
                        zip?: string;
                    };
                };
            };
            responses: {
                /** @description The record as it is now */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Venue"];
                    };
                };
            };
        };
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The venue's number. */
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The record that was removed */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Venue"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/venues/by-slug/{slug}": {
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
                    /** @description The venue's slug. */
                    slug: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What was asked for */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Venue"];
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
                    /** @description The venue's slug. */
                    slug: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        /** @description Street and number. */
                        address?: string;
                        /** @description The author's number. */
                        author?: number;
                        /** @description City. */
                        city?: string;
                        /** @description Country. */
                        country?: string;
                        /**
                         * @description When it is published, in the site's zone.
                         * @example 2027-01-10 09:00:00
                         */
                        date?: string;
                        /**
                         * @description When it is published, in UTC.
                         * @example 2027-01-10 09:00:00
                         */
                        date_utc?: string;
                        /** @description Its description, HTML. */
                        description?: string;
                        /** @description Degrees north. */
                        geo_lat?: number;
                        /** @description Degrees east. */
                        geo_lng?: number;
                        /** @description The link of its picture. */
                        image?: string;
                        /** @description Its phone number. */
                        phone?: string;
                        /** @description Province. */
                        province?: string;
                        /** @description Whether a map is shown: `true` or `false`. */
                        show_map?: string;
                        /** @description Whether a link to a map is shown: `true` or `false`. */
                        show_map_link?: string;
                        /** @description State. */
                        state?: string;
                        /** @description State or province, when it is neither of both. */
                        stateprovince?: string;
                        /**
                         * @description Its status.
                         * @enum {string}
                         */
                        status?: "publish" | "future" | "draft" | "pending" | "private" | "trash" | "auto-draft" | "inherit";
                        /** @description Its name, HTML. */
                        venue?: string;
                        /** @description Its website. */
                        website?: string;
                        /** @description Postal code. */
                        zip?: string;
                    };
                    "application/x-www-form-urlencoded": {
                        /** @description Street and number. */
                        address?: string;
                        /** @description The author's number. */
                        author?: number;
                        /** @description City. */
                        city?: string;
                        /** @description Country. */
                        country?: string;
                        /**
                         * @description When it is published, in the site's zone.
                         * @example 2027-01-10 09:00:00
                         */
                        date?: string;
                        /**
                         * @description When it is published, in UTC.
                         * @example 2027-01-10 09:00:00
                         */
                        date_utc?: string;
                        /** @description Its description, HTML. */
                        description?: string;
                        /** @description Degrees north. */
                        geo_lat?: number;
                        /** @description Degrees east. */
                        geo_lng?: number;
                        /** @description The link of its picture. */
                        image?: string;
                        /** @description Its phone number. */
                        phone?: string;
                        /** @description Province. */
                        province?: string;
                        /** @description Whether a map is shown: `true` or `false`. */
                        show_map?: string;
                        /** @description Whether a link to a map is shown: `true` or `false`. */
                        show_map_link?: string;
                        /** @description State. */
                        state?: string;
                        /** @description State or province, when it is neither of both. */
                        stateprovince?: string;
                        /**
                         * @description Its status.
                         * @enum {string}
                         */
                        status?: "publish" | "future" | "draft" | "pending" | "private" | "trash" | "auto-draft" | "inherit";
                        /** @description Its name, HTML. */
                        venue?: string;
                        /** @description Its website. */
                        website?: string;
                        /** @description Postal code. */
                        zip?: string;
                    };
                };
            };
            responses: {
                /** @description The record as it is now */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Venue"];
                    };
                };
            };
        };
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The venue's slug. */
                    slug: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The record that was removed */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Venue"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description What the cost is made of. */
        CostDetails: {
            currency_code?: string;
            currency_position?: string;
            currency_symbol?: string;
            values?: string[];
        };
        /** @description The parts of a time, with zeros before them. */
        DateDetails: {
            day?: string;
            hour?: string;
            minutes?: string;
            month?: string;
            seconds?: string;
            year?: string;
        };
        /** @description An event. One of a list has no `json_ld`, one that announces no exam no `exam`. */
        Event: {
            all_day?: boolean;
            author?: string;
            categories?: {
                count?: number;
                description?: string;
                filter?: string;
                id?: number;
                name?: string;
                parent?: number;
                slug?: string;
                taxonomy?: string;
                term_group?: number;
                term_taxonomy_id?: number;
                urls?: Record<string, never>;
            }[];
            cost?: string;
            cost_details?: components["schemas"]["CostDetails"];
            custom_fields?: unknown[];
            date?: string;
            date_utc?: string;
            description?: string;
            end_date?: string;
            end_date_details?: components["schemas"]["DateDetails"];
            exam?: Record<string, never>;
            excerpt?: string;
            featured?: boolean;
            global_id?: string;
            global_id_lineage?: string[];
            hide_from_listings?: boolean;
            id?: number;
            image?: components["schemas"]["Image"] | false;
            json_ld?: Record<string, never>;
            modified?: string;
            modified_utc?: string;
            organizer?: components["schemas"]["Organizer"][];
            rest_url?: string;
            show_map?: boolean;
            show_map_link?: boolean;
            slug?: string;
            start_date?: string;
            start_date_details?: components["schemas"]["DateDetails"];
            status?: string;
            sticky?: boolean;
            tags?: {
                count?: number;
                description?: string;
                filter?: string;
                id?: number;
                name?: string;
                parent?: number;
                slug?: string;
                taxonomy?: string;
                term_group?: number;
                term_taxonomy_id?: number;
                urls?: Record<string, never>;
            }[];
            timezone?: string;
            timezone_abbr?: string;
            title?: string;
            url?: string;
            utc_end_date?: string;
            utc_end_date_details?: components["schemas"]["DateDetails"];
            utc_start_date?: string;
            utc_start_date_details?: components["schemas"]["DateDetails"];
            venue?: components["schemas"]["Venue"] | unknown[];
            website?: string;
        };
        /** @description A picture, by its link. */
        Image: {
            url?: string;
        };
        /** @description A size of a picture, for clients that look for this schema: no answer has it, since a picture is a link alone. */
        ImageSize: {
            height?: number;
            "mime-type"?: string;
            url?: string;
            width?: number;
        };
        /** @description An organizer. What says nothing is left out; one of a list has no `json_ld`. */
        Organizer: {
            author?: string;
            date?: string;
            date_utc?: string;
            description?: string;
            email?: string;
            global_id?: string;
            global_id_lineage?: string[];
            id?: number;
            image?: components["schemas"]["Image"];
            json_ld?: Record<string, never>;
            modified?: string;
            modified_utc?: string;
            organizer?: string;
            phone?: string;
            slug?: string;
            status?: string;
            url?: string;
            website?: string;
        };
        /** @description A category or a tag. A tag has no `parent`; terms of a list have no `_links`. */
        Term: {
            _links?: Record<string, never>;
            count?: number;
            description?: string;
            id?: number;
            meta?: unknown[];
            name?: string;
            parent?: number;
            slug?: string;
            taxonomy?: string;
            url?: string;
            urls?: Record<string, never>;
        };
        /** @description A venue. What says nothing is left out; one of a list has no `json_ld`. */
        Venue: {
            address?: string;
            author?: string;
            city?: string;
            country?: string;
            date?: string;
            date_utc?: string;
            description?: string;
            geo_lat?: number;
            geo_lng?: number;
            global_id?: string;
            global_id_lineage?: string[];
            id?: number;
            image?: components["schemas"]["Image"];
            json_ld?: Record<string, never>;
            modified?: string;
            modified_utc?: string;
            phone?: string;
            province?: string;
            show_map?: boolean;
            show_map_link?: boolean;
            slug?: string;
            state?: string;
            stateprovince?: string;
            status?: string;
            url?: string;
            venue?: string;
            website?: string;
            zip?: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type CostDetails = components['schemas']['CostDetails'];
export type DateDetails = components['schemas']['DateDetails'];
export type Event = components['schemas']['Event'];
export type Image = components['schemas']['Image'];
export type ImageSize = components['schemas']['ImageSize'];
export type Organizer = components['schemas']['Organizer'];
export type Term = components['schemas']['Term'];
export type Venue = components['schemas']['Venue'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
